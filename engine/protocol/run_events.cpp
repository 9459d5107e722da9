#include "engine/protocol/json.h"
#include "engine/protocol/model_fields.h"

namespace switchscope {

template <> inline constexpr std::string_view tag<RunStarted> = "run-started";
template <> inline constexpr std::string_view tag<SessionWaiting> = "session-waiting";
template <> inline constexpr std::string_view tag<SessionStarted> = "session-started";
template <> inline constexpr std::string_view tag<VisitStarted> = "visit-started";
template <> inline constexpr std::string_view tag<VisitEnded> = "visit-ended";
template <> inline constexpr std::string_view tag<PassEnded> = "pass-ended";
template <> inline constexpr std::string_view tag<SessionEnded> = "session-ended";
template <> inline constexpr std::string_view tag<PointsAdded> = "points-added";
template <> inline constexpr std::string_view tag<RunEnded> = "run-ended";

template <class Io> void fields_of(Io& io, Of<RunStarted> auto& event) {
  io("run", event.run);
  io("resumed_on", event.resumed_on);
}

template <class Io> void fields_of(Io& io, Of<SessionWaiting> auto& event) {
  io("session", event.session, not_negative);
  io("sessions", event.sessions, at_least_one);
  io("seconds", event.seconds, not_negative);
}

template <class Io> void fields_of(Io& io, Of<SessionStarted> auto& event) {
  io("session", event.session);
  io("sessions", event.sessions, at_least_one);
}

template <class Io> void fields_of(Io& io, Of<VisitStarted> auto& event) {
  io("sequence", event.sequence, not_negative);
  io("point_index", event.point_index, not_negative);
  io("pass", event.pass, not_negative);
  io("session", event.session, not_negative);
}

template <class Io> void fields_of(Io& io, Of<VisitEnded> auto& event) {
  io("visit", event.visit);
  io("measuring_s", event.measuring_s, not_negative);
  io("seconds_left", event.seconds_left);
  io("throttle_wait_s", event.throttle_wait_s, not_negative);
  io("session_measuring_s", event.session_measuring_s, not_negative);
  io("session_throttle_wait_s", event.session_throttle_wait_s, not_negative);
}

template <class Io> void fields_of(Io& io, Of<PassEnded> auto& event) {
  io("pass", event.pass, not_negative);
  io("points_precise", event.points_precise, not_negative);
  io("points_failed", event.points_failed, not_negative);
  io("session", event.session, not_negative);
}

template <class Io> void fields_of(Io& io, Of<SessionEnded> auto& event) {
  io("session", event.session);
}

template <class Io> void fields_of(Io& io, Of<PointsAdded> auto& event) {
  io("first_index", event.first_index, not_negative);
  io("points", event.points);
}

template <class Io> void fields_of(Io& io, Of<RunEnded> auto& event) {
  io("state", event.state);
  io("reason", event.reason);
  io("measuring_s", event.measuring_s, not_negative);
  io("elapsed_s", event.elapsed_s, not_negative);
  io("throttle_wait_s", event.throttle_wait_s, not_negative);
  io("finished_at", event.finished_at);
  io("after", event.after);
}

std::string encode(const RunEvent& event) {
  return encode_tagged("event", event);
}

RunEvent run_event_from_text(std::string_view line) {
  return TaggedReader<RunEvent>::read("event", parse_object(line));
}

} // namespace switchscope
