#include "app/cli/session_notes.h"
#include "tests/export/sample_run.h"

#include <gtest/gtest.h>

namespace switchscope {
namespace {

using Notes = std::vector<std::string>;

sample::Sample of_sessions(int count) {
  auto sample = sample::quiet_run();
  sample.run.plan.sessions = count;
  for (int number = 1; number < count; ++number) {
    sample.run.sessions.push_back(sample.run.sessions.front());
    sample.run.sessions.back().number = number;
    sample.estimates.sessions.push_back(sample.estimates.sessions.front());
    sample.estimates.sessions.back().session = number;
  }
  for (auto& estimate : sample.estimates.points) estimate.sessions = count;
  return sample;
}

TEST(SessionNotes, aSingleSessionIsCalledThat) {
  const auto sample = sample::quiet_run();
  EXPECT_EQ(session_notes(sample.run, sample.estimates),
            Notes{"Intervals: 95 % within one session, over its visits. Reboots and neighbours vary more; "
                  "`switchscope-cli resume 01k0000000000000000000000a --new-session` adds a session."});
}

TEST(SessionNotes, bothMethodsStandSideBySide) {
  auto sample = of_sessions(2);
  sample.run.points.push_back(sample.run.points[0]); // no data, by the paper's method
  sample.run.points.back().method = Method::paper;
  sample.estimates.points.push_back(sample.estimates.points[0]);
  for (std::size_t session = 0; session < 2; ++session) {
    auto& points = sample.estimates.sessions[session].points;
    points = sample.estimates.points;
    points.front().total.estimate = session == 0 ? 1800 : 1810;
    points.back().total.estimate = session == 0 ? 1500 : 2600;
  }
  EXPECT_EQ(
      session_notes(sample.run, sample.estimates).at(1),
      "Side by side, no data: paired 1.80, 1.81 µs, spread 0.01 µs; the paper's method 1.50, 2.60 µs, spread 1.10 µs.");
}

TEST(SessionNotes, fewAreSaidToBeFew) {
  const auto two = of_sessions(2);
  EXPECT_EQ(session_notes(two.run, two.estimates),
            (Notes{"Sessions: 2 begun of 2 asked for.",
                   "Intervals: 95 % over 2 sessions. With so few sessions they are wide; each further"
                   " session narrows them."}));
  const auto six = of_sessions(6);
  EXPECT_EQ(session_notes(six.run, six.estimates).back(), "Intervals: 95 % over 6 sessions.");
}

TEST(SessionNotes, pointsOfFewerSessionsAreCounted) {
  auto sample = of_sessions(6);
  sample.estimates.points[2].sessions = 5;
  EXPECT_EQ(session_notes(sample.run, sample.estimates).back(), "Intervals: 95 % over 5 to 6 sessions.");
  sample.estimates.points[2].sessions = 2;
  EXPECT_EQ(session_notes(sample.run, sample.estimates).back(),
            "Intervals: 95 % over 2 to 6 sessions. With so few sessions they are wide; each further session narrows "
            "them.");
}

TEST(SessionNotes, sessionsOfAnotherStateAreCounted) {
  auto sample = of_sessions(3);
  for (auto& session : sample.estimates.sessions) session.points = sample.estimates.points;
  sample.estimates.sessions[1].points[4].state = EstimateState::contended;
  sample.estimates.sessions[2].points[5].state = EstimateState::corrected;
  sample.estimates.sessions[2].points[6].state = EstimateState::failed; // has no state
  for (const std::size_t i : {4u, 5u}) {
    sample.estimates.points[i].sessions = 2;
    sample.estimates.points[i].set_aside[SetAside::other_state] = 300;
  }
  EXPECT_EQ(session_notes(sample.run, sample.estimates),
            (Notes{"Sessions: 3 begun of 3 asked for.",
                   "At 2 of 8 points, sessions of another state than most are set aside (corrected 1, contended 1): a "
                   "mean over states would be the cost of none.",
                   "Intervals: 95 % over 2 to 3 sessions. With so few sessions they are wide; each further session "
                   "narrows them."}));
}

TEST(SessionNotes, bootsAndUnfinishedSessionsAndPointsOfOneSessionAreTold) {
  auto sample = of_sessions(3);
  sample.run.plan.sessions = 5;
  sample.run.sessions[0].before.boot_id = "a";
  sample.run.sessions[1].before.boot_id = sample.run.sessions[2].before.boot_id = "b";
  sample.run.sessions[2].finished_at.reset();
  sample.estimates.points[3].sessions = 1;
  const auto notes = session_notes(sample.run, sample.estimates);
  EXPECT_EQ(notes.front(), "Sessions: 3 begun of 5 asked for, the last one not to its end, over 2 boots.");
  EXPECT_EQ(notes.back(), "Of 1 point there is one session only: 95 % within one session, over its visits.");
}

TEST(VarianceNote, tellsTheSharesOfWhatVaries) {
  auto sample = sample::quiet_run();
  auto& variance = sample.estimates.points.front().variance;
  variance = VarianceComponents{3000, 0.5, 1000, 96, 16, 3};
  EXPECT_EQ(variance_note(sample.run, sample.estimates),
            "Where the direct cost varies: 75 % within visits, 0 % between visits, 25 % between sessions.");
  variance = VarianceComponents{3000, -134.4, std::nullopt, 96, 16, 1};
  EXPECT_EQ(variance_note(sample.run, sample.estimates),
            "Where the direct cost varies: 100 % within visits, 0 % between visits.");
  variance.reset();
  EXPECT_EQ(variance_note(sample.run, sample.estimates), "");
}

TEST(ContentionBySession, isOneLineForAPlacement) {
  auto sample = of_sessions(3);
  sample.estimates.sessions[1].splits["1"].contended_share = 0.25;
  sample.estimates.sessions[2].splits["1"] = {};
  Notes notes;
  add_contention_by_session(notes, sample.estimates);
  EXPECT_EQ(notes, Notes{"Contention on CPU 1: told in 2 of 3 sessions; 2.1 to 25.0 % of their probes found the core "
                         "busy."});
}

} // namespace
} // namespace switchscope
