// Values to JSON and back from one list of fields each: fields_of(io, value) names every field once, a Writer and a
// Reader walk it. A field can therefore not be forgotten on one side. Private to engine/protocol.
#pragma once

#include "engine/model/block.h"
#include "engine/model/in_quotes.h"
#include "engine/model/names.h"
#include "engine/model/point.h"
#include "engine/protocol/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace switchscope {

// A value of that type, const for writing and not const for reading.
template <class T, class Value>
concept Of = std::same_as<std::remove_const_t<T>, Value>;

struct Bounds {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  bool above_low = false; // `low` itself is refused
};
inline constexpr Bounds not_negative{0};
inline constexpr Bounds at_least_one{1};
inline constexpr Bounds above_zero{0, std::numeric_limits<std::int64_t>::max(), true};

template <class T>
concept Named = requires {
  Names<T>::table;
};

template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T> inline constexpr bool is_vector = false;
template <class T> inline constexpr bool is_vector<std::vector<T>> = true;
template <class T> inline constexpr bool is_map = false;
template <class T> inline constexpr bool is_map<std::map<std::string, T>> = true;
using TextMap = std::map<std::string, std::string>;

template <class Json> class Writer {
public:
  static constexpr bool reads = false;
  explicit Writer(Json& object) : object_(object) { object_ = object_.is_null() ? Json::object() : object_; }

  template <class T> void operator()(const char* name, const T& value, Bounds = {}) { object_[name] = json(value); }
  void schema(const char* name, int version) { object_[name] = version; }
  template <class A, class B> void either(const char* first, const char* second, const std::variant<A, B>& value) {
    if (const A* a = std::get_if<A>(&value))
      object_[first] = json(*a);
    else
      object_[second] = json(std::get<B>(value));
  }

private:
  template <class T> static Json json(const T& value) {
    if constexpr (is_optional<T>) {
      return value ? json(*value) : Json(nullptr);
    } else if constexpr (is_vector<T>) {
      Json list = Json::array();
      for (const auto& item : value) list.push_back(json(item));
      return list;
    } else if constexpr (is_map<T>) {
      Json map = Json::object();
      for (const auto& [key, item] : value) map[key] = json(item);
      return map;
    } else if constexpr (Named<T> || std::same_as<T, Phase>) {
      return Json(std::string(name_of(value)));
    } else if constexpr (std::same_as<T, Placement>) {
      return Json(text_of(value));
    } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
      return Json(value);
    } else {
      Json object;
      Writer writer(object);
      fields_of(writer, value);
      return object;
    }
  }

  Json& object_;
};

class Reader {
public:
  static constexpr bool reads = true;
  // message: every field must be there (optional ones may be absent), unknown ones are ignored.
  // file: absent fields keep their default, unknown ones are refused; a mistyped name must not go unnoticed.
  enum class Rules { message, file };

  Reader(const nlohmann::json& object, Rules rules, std::string path = "")
      : object_(object), rules_(rules), path_(std::move(path)) {
    if (!object_.is_object()) throw JsonProblem(about("") + " must be an object, not " + shown(object_) + ".");
  }

  template <class T> void operator()(const char* name, T& value, Bounds bounds = {}) {
    known_.push_back(name);
    const auto found = object_.find(name);
    if (found == object_.end()) {
      if constexpr (!is_optional<T>)
        if (rules_ == Rules::message && !tolerant_) throw JsonProblem(about(name) + " is missing.");
      return;
    }
    if (!tolerant_) return read(*found, value, bounds, path_to(name));
    try {
      read(*found, value, bounds, path_to(name));
    } catch (const JsonProblem&) { // keeps its default
    }
  }
  void schema(const char* name, int version) {
    int given = 0;
    if (object_.find(name) == object_.end())
      throw JsonProblem(about(name) + " is missing; write \"schema\": " + std::to_string(version) + ".");
    (*this)(name, given);
    if (given != version)
      throw JsonProblem(about(name) + " is " + std::to_string(given) + "; this version of Switchscope reads " +
                        std::to_string(version) + ".");
  }
  template <class A, class B> void either(const char* first, const char* second, std::variant<A, B>& value) {
    if (object_.contains(first) == object_.contains(second))
      throw JsonProblem(about("") + " must hold either \"" + first + "\" or \"" + second + "\".");
    if (object_.contains(first))
      (*this)(first, value.template emplace<A>());
    else
      (*this)(second, value.template emplace<B>());
  }

  // From here on a field that is absent or of another type keeps its default.
  void be_tolerant() { tolerant_ = true; }
  [[noreturn]] void refuse(const char* name, const std::string& what) const {
    throw JsonProblem(about(name) + " " + what);
  }

  void refuse_unknown() const {
    if (rules_ == Rules::message) return;
    for (const auto& item : object_.items())
      if (std::find(known_.begin(), known_.end(), item.key()) == known_.end())
        throw JsonProblem("The field " + in_quotes(path_to(item.key().c_str())) + " is unknown; fields here are " +
                          listed() + ".");
  }

private:
  template <class T> void read(const nlohmann::json& json, T& value, Bounds bounds, const std::string& path) {
    if constexpr (is_optional<T>) {
      if (json.is_null()) {
        value.reset();
        return;
      }
      read(json, value.emplace(), bounds, path);
    } else if constexpr (is_vector<T>) {
      if (!json.is_array()) wrong(path, "a list", json);
      value.clear();
      value.reserve(json.size());
      for (std::size_t i = 0; i < json.size(); ++i)
        read(json[i], value.emplace_back(), bounds, path + "[" + std::to_string(i) + "]");
    } else if constexpr (is_map<T>) {
      if (!json.is_object()) wrong(path, std::same_as<T, TextMap> ? "an object of texts" : "an object", json);
      value.clear();
      for (const auto& item : json.items()) read(item.value(), value[item.key()], bounds, path + "." + item.key());
    } else if constexpr (std::same_as<T, std::string>) {
      if (!json.is_string()) wrong(path, "a text", json);
      value = json.get_ref<const std::string&>();
    } else if constexpr (std::same_as<T, bool>) {
      if (!json.is_boolean()) wrong(path, "true or false", json);
      value = json.get<bool>();
    } else if constexpr (std::integral<T>) {
      read_whole(json, value, bounds, path);
    } else if constexpr (std::floating_point<T>) {
      read_number(json, value, bounds, path);
    } else {
      read_word_or_object(json, value, path);
    }
  }

  template <class T> void read_whole(const nlohmann::json& json, T& value, Bounds bounds, const std::string& path) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::unsigned_integral<T>) {
      if (!json.is_number_integer() || (!json.is_number_unsigned() && json.get<std::int64_t>() < 0) ||
          json.get<std::uint64_t>() > Limits::max())
        wrong(path, "a whole number from 0 to " + std::to_string(Limits::max()), json);
      value = static_cast<T>(json.get<std::uint64_t>());
    } else {
      const std::int64_t low = std::max<std::int64_t>(bounds.low, Limits::min());
      const std::int64_t high = std::min<std::int64_t>(bounds.high, Limits::max());
      // A negative literal is stored as signed, any other as unsigned.
      if (!json.is_number_integer()) wrong(path, "a whole number", json);
      if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(high))
        wrong(path, "a whole number of at most " + std::to_string(high), json);
      const auto whole = json.get<std::int64_t>();
      if (whole < low) wrong(path, "a whole number of at least " + std::to_string(low), json);
      value = static_cast<T>(whole);
    }
  }

  void read_number(const nlohmann::json& json, double& value, Bounds bounds, const std::string& path) {
    if (!json.is_number()) wrong(path, "a number", json);
    const double number = json.get<double>();
    if (!std::isfinite(number)) wrong(path, "a finite number", json);
    const bool limited = bounds.low != Bounds{}.low;
    const auto low = static_cast<double>(bounds.low);
    if (limited && (number < low || (bounds.above_low && number == low)))
      wrong(path, (bounds.above_low ? "a number above " : "a number of at least ") + std::to_string(bounds.low), json);
    value = number;
  }

  template <class T> void read_word_or_object(const nlohmann::json& json, T& value, const std::string& path) {
    if constexpr (Named<T>) {
      read_word(
          json, value, path, [](const std::string& word) { return parse_name<T>(word); }, names_listed<T>());
    } else if constexpr (std::same_as<T, Phase>) {
      read_word(
          json, value, path, [](const std::string& word) { return parse_phase(word); }, "S2A, S1 or S2B");
    } else if constexpr (std::same_as<T, Placement>) {
      read_word(
          json, value, path, [](const std::string& word) { return parse_placement(word); },
          "a CPU such as \"1\", a pair such as \"0:1\", \"free\" or \"auto\"");
    } else {
      Reader reader(json, rules_, path);
      fields_of(reader, value);
      reader.refuse_unknown();
    }
  }

  template <class T, class Parse>
  void read_word(const nlohmann::json& json, T& value, const std::string& path, const Parse& parse,
                 const std::string& expected) {
    const auto parsed = json.is_string() ? parse(json.get_ref<const std::string&>()) : std::nullopt;
    if (!parsed) wrong(path, expected, json);
    value = *parsed;
  }

  [[noreturn]] static void wrong(const std::string& path, const std::string& expected, const nlohmann::json& json) {
    throw JsonProblem("The field " + in_quotes(path) + " must be " + expected + ", not " + shown(json) + ".");
  }
  static std::string shown(const nlohmann::json& json) {
    if (json.is_object()) return "an object";
    if (json.is_array()) return "a list";
    if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
    return json.dump();
  }
  [[nodiscard]] std::string path_to(const char* name) const { return path_.empty() ? name : path_ + "." + name; }
  [[nodiscard]] std::string about(const char* name) const {
    if (*name != '\0') return "The field " + in_quotes(path_to(name));
    return path_.empty() ? "The JSON value" : "The field " + in_quotes(path_);
  }
  [[nodiscard]] std::string listed() const {
    std::string names;
    for (const char* name : known_) names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
  }

  const nlohmann::json& object_;
  Rules rules_;
  std::string path_;
  bool tolerant_ = false;
  std::vector<const char*> known_;
};

template <class T> [[nodiscard]] nlohmann::json written(const T& value) {
  nlohmann::json object;
  Writer<nlohmann::json> writer(object);
  fields_of(writer, value);
  return object;
}

template <class T> [[nodiscard]] T read_as(const nlohmann::json& json, Reader::Rules rules = Reader::Rules::message) {
  T value;
  Reader reader(json, rules);
  fields_of(reader, value);
  reader.refuse_unknown();
  return value;
}

// The JSON object in a text from outside. Throws JsonProblem: not JSON (with line and column), nested too deep, no
// object.
[[nodiscard]] nlohmann::json parse_object(std::string_view text);

// One alternative of a variant is told from the others by the word in its tag field ("type", "event").
template <class T> inline constexpr std::string_view tag = "";

template <class Variant> [[nodiscard]] std::string encode_tagged(const char* tag_field, const Variant& variant) {
  return std::visit(
      [&](const auto& value) {
        nlohmann::ordered_json object; // ordered: who reads the lines sees first what each is
        object[tag_field] = tag<std::remove_cvref_t<decltype(value)>>;
        Writer<nlohmann::ordered_json> writer(object);
        fields_of(writer, value);
        // File contents and names may be bytes that are not UTF-8: they are shown with replacement characters.
        return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
      },
      variant);
}

template <class Variant> struct TaggedReader;
template <class... Values> struct TaggedReader<std::variant<Values...>> {
  [[nodiscard]] static std::variant<Values...> read(const char* tag_field, const nlohmann::json& object) {
    std::string word;
    Reader(object, Reader::Rules::message)(tag_field, word);
    std::optional<std::variant<Values...>> value;
    const bool known = ((word == tag<Values> && (value = read_as<Values>(object), true)) || ...);
    if (known) return std::move(*value);
    std::string listed;
    ((listed += (listed.empty() ? "" : ", ") + std::string(tag<Values>)), ...);
    throw JsonProblem("The " + std::string(tag_field) + " " + in_quotes(word) + " is unknown; known are " + listed +
                      ".");
  }
};

} // namespace switchscope
