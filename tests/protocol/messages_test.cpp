#include "engine/protocol/messages.h"

#include "golden.h"
#include "samples.h"

#include <gtest/gtest.h>

using namespace switchscope;

namespace {

template <class T> std::string error_of(const std::variant<T, DecodeError>& decoded) {
  const auto* error = std::get_if<DecodeError>(&decoded);
  return error != nullptr ? error->message : "(no error)";
}

// The sentence after the quoted line.
std::string reason_of(const std::string& line) {
  const std::string message = error_of(decode_event(line));
  const std::string lead = " cannot be used. ";
  const std::size_t at = message.find(lead);
  return at == std::string::npos ? message : message.substr(at + lead.size());
}

TEST(Events, ComeBackAsTheyWereSent) {
  for (const WorkerEvent& event : samples::worker_events()) {
    const std::string line = encode(event);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto decoded = decode_event(line);
    ASSERT_TRUE(std::holds_alternative<WorkerEvent>(decoded)) << error_of(decoded);
    EXPECT_TRUE(std::get<WorkerEvent>(decoded) == event) << line;
  }
}

TEST(Events, AreWrittenAsRecorded) {
  std::vector<std::string> lines;
  for (const WorkerEvent& event : samples::worker_events()) lines.push_back(encode(event));
  expect_golden("events.jsonl", lines);
}

TEST(Events, KeepEveryBitOfADouble) {
  for (const double value :
       {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 123456789.12345679, 4.0}) {
    Block block = samples::block();
    block.elapsed_ns = value;
    const auto decoded = decode_event(encode(WorkerEvent{BlockLine{1, block}}));
    ASSERT_TRUE(std::holds_alternative<WorkerEvent>(decoded)) << error_of(decoded);
    EXPECT_EQ(std::get<BlockLine>(std::get<WorkerEvent>(decoded)).block.elapsed_ns, value);
  }
}

TEST(Events, IgnoreUnknownFields) {
  const auto decoded = decode_event(R"({"type":"waiting","holder":"x","colour":[1,{"a":null}]})");
  ASSERT_TRUE(std::holds_alternative<WorkerEvent>(decoded)) << error_of(decoded);
  EXPECT_EQ(std::get<WorkerEvent>(decoded), WorkerEvent{Waiting{"x"}});
}

TEST(Events, NameTheOtherProtocolWhateverItsHelloLooksLike) {
  const auto decoded = decode_event(R"({"type":"hello","protocol":2,"version":"9.0.0","build":{"hash":1}})");
  ASSERT_TRUE(std::holds_alternative<WorkerEvent>(decoded)) << error_of(decoded);
  EXPECT_EQ(std::get<WorkerEvent>(decoded), (WorkerEvent{Hello{2, "9.0.0", "", "", {}, {}}}));
}

TEST(Events, MayHoldBytesThatAreNotUtf8) {
  const auto decoded = decode_event(encode(WorkerEvent{Facts{"", {{"proc/cmdline", "a\xff"}}, {}}}));
  ASSERT_TRUE(std::holds_alternative<WorkerEvent>(decoded)) << error_of(decoded);
  EXPECT_EQ(std::get<Facts>(std::get<WorkerEvent>(decoded)).files.at("proc/cmdline"), "a\xef\xbf\xbd");
}

std::string block_with(const std::string& from, const std::string& to) {
  std::string line = encode(WorkerEvent{BlockLine{7, samples::block()}});
  const std::size_t at = line.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return line.replace(at, from.size(), to);
}

TEST(Events, SayWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "This is not JSON: it goes wrong at line 1, column 1."},
      {"Segmentation fault", "This is not JSON: it goes wrong at line 1, column 1."},
      {R"({"type":"done","id":7)", "This is not JSON: it goes wrong at line 1, column 22."},
      {"\xff\xfe", "This is not JSON: it goes wrong at line 1, column 1."},
      {"[]", "The JSON must be an object, as in {\"name\": ...}."},
      {"7", "The JSON must be an object, as in {\"name\": ...}."},
      {std::string(100'000, '['), "The JSON is nested deeper than 32 levels."},
      {"{}", "The field \"type\" is missing."},
      {R"({"type":7})", "The field \"type\" must be a text, not 7."},
      {R"({"type":"ready "})",
       "The type \"ready \" is unknown; known are hello, facts, waiting, ready, block, done, sharing, error."},
      {R"({"type":"error","id":-1,"code":"x","message":"y"})",
       "The field \"id\" must be a whole number of at least 0, not -1."},
      {R"({"type":"error","id":1.5,"code":"x","message":"y"})", "The field \"id\" must be a whole number, not 1.5."},
      {R"({"type":"error","id":18446744073709551615,"code":"x","message":"y"})",
       "The field \"id\" must be a whole number of at most 9223372036854775807, not 18446744073709551615."},
      {R"({"type":"error","id":1,"code":"x"})", "The field \"message\" is missing."},
      {R"({"type":"facts","hwloc_xml":"","files":{"a":1},"calls":{}})", "The field \"files.a\" must be a text, not 1."},
      {R"({"type":"hello","protocol":1,"version":"1","build":"","architecture":"","mechanisms":["pipe",null],"kernel_codes":[]})",
       "The field \"mechanisms[1]\" must be a text, not null."},
      {R"({"type":"hello","protocol":4294967297})",
       "The field \"protocol\" must be a whole number of at most 2147483647, not 4294967297."},
      {block_with("\"id\":7", "\"id\":0"), "The field \"id\" must be a whole number of at least 1, not 0."},
      {block_with("\"trips\":1234", "\"trips\":0"), "The field \"trips\" must be a whole number of at least 1, not 0."},
      {block_with("\"pair\":2", "\"pair\":-1"), "The field \"pair\" must be a whole number of at least 0, not -1."},
      {block_with("\"S2B\"", "\"S3\""), "The field \"phase\" must be S2A, S1 or S2B, not \"S3\"."},
      {block_with("4000123.5", "0"), "The field \"elapsed_ns\" must be a number above 0, not 0."},
      {block_with("4000123.5", "\"4\""), "The field \"elapsed_ns\" must be a number, not \"4\"."},
      {block_with("4000123.5", "NaN"), "This is not JSON: it goes wrong at line 1, column 73."},
      {block_with("4000123.5", "1e999"), "A number in the JSON is too large to be read."},
      {block_with("4000123.5", "null"), "The field \"elapsed_ns\" must be a number, not null."},
      {block_with("1187.25", "-1"), "The field \"before.self_pipe_ns\" must be a number of at least 0, not -1."},
      {block_with("\"minor_faults\":3", "\"minor_faults\":-3"),
       "The field \"task_a.minor_faults\" must be a whole number of at least 0, not -3."},
      {block_with("\"before\":{", "\"before\":[],\"x\":{"), "The field \"before\" must be an object, not a list."},
  };
  for (const auto& [line, reason] : cases) EXPECT_EQ(reason_of(line), reason) << line.substr(0, 200);
}

TEST(Events, RefuseAPolicyThatCannotBeObtained) {
  VisitReport report = samples::report();
  report.policy = Policy::automatic;
  EXPECT_EQ(reason_of(encode(WorkerEvent{Done{1, report}})),
            "The field \"policy\" must be what was obtained: fifo, rr or other.");
}

TEST(Events, QuoteTheStartOfTheLine) {
  EXPECT_EQ(error_of(decode_event("\x1b[31m" + std::string(100, 'x'))),
            "The line \"\\x1b[31m" + std::string(55, 'x') +
                "...\" cannot be used. This is not JSON: it goes wrong at line 1, column 1.");
}

TEST(Events, HaveALongestLine) {
  const std::string longest = R"({"type":"waiting","holder":")" + std::string(max_line_bytes - 30, 'x') + "\"}";
  ASSERT_EQ(longest.size(), max_line_bytes);
  EXPECT_TRUE(std::holds_alternative<WorkerEvent>(decode_event(longest)));
  EXPECT_EQ(reason_of(longest + " "), "It is 8388609 bytes long; at most 8388608 are read.");
  EXPECT_TRUE(std::holds_alternative<DecodeError>(decode_command(longest + " ")));
}

TEST(Commands, ComeBackAsTheyWereSent) {
  for (const WorkerCommand& command : samples::worker_commands()) {
    const auto decoded = decode_command(encode(command));
    ASSERT_TRUE(std::holds_alternative<WorkerCommand>(decoded)) << error_of(decoded);
    EXPECT_TRUE(std::get<WorkerCommand>(decoded) == command) << encode(command);
  }
}

TEST(Commands, AreWrittenAsRecorded) {
  std::vector<std::string> lines;
  for (const WorkerCommand& command : samples::worker_commands()) lines.push_back(encode(command));
  expect_golden("commands.jsonl", lines);
}

TEST(Commands, SayWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {R"({"id":1,"verb":"dance"})",
       R"(The line "{"id":1,"verb":"dance"}" cannot be used. The verb "dance" is unknown; known are switch-cost, shares and describe.)"},
      {R"({"id":0,"verb":"describe"})",
       R"(The line "{"id":0,"verb":"describe"}" cannot be used. The field "id" must be a whole number of at least 1, not 0.)"},
      {R"({"id":1,"verb":"switch-cost"})",
       R"(The line "{"id":1,"verb":"switch-cost"}" cannot be used. The field "argv" is missing.)"},
      {R"({"id":1,"verb":"switch-cost","argv":[1]})",
       R"(The line "{"id":1,"verb":"switch-cost","argv":[1]}" cannot be used. The field "argv[0]" must be a text, not 1.)"},
      {R"({"id":1,"verb":"switch-cost","argv":["--size"]})",
       R"(The line "{"id":1,"verb":"switch-cost","argv":["--size"]}" cannot be used. The argument --size has no value; write one after it.)"},
  };
  for (const auto& [line, message] : cases) EXPECT_EQ(error_of(decode_command(line)), message);
}

} // namespace
