// One function per verb: from its arguments to its exit code. Throws Refusal, StoreProblem, WorkerProblem and
// SessionRefusal, each with a sentence.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/outcome.h"

namespace switchscope {

ExitCode perform(const CommonOptions&, const RunVerb&);
ExitCode perform(const CommonOptions&, const ResumeVerb&);
ExitCode perform(const CommonOptions&, const ListVerb&);
ExitCode perform(const CommonOptions&, const ShowVerb&);
ExitCode perform(const CommonOptions&, const ExportVerb&);
ExitCode perform(const CommonOptions&, const PresetsVerb&);
ExitCode perform(const CommonOptions&, const ImportVerb&);
ExitCode perform(const CommonOptions&, const DeleteVerb&);
ExitCode perform(const CommonOptions&, const RestoreVerb&);
ExitCode perform(const CommonOptions&, const VerifyVerb&);
ExitCode perform(const CommonOptions&, const DescribeVerb&);
ExitCode perform(const CommonOptions&, const DoctorVerb&);
ExitCode perform(const CommonOptions&, const SelftestVerb&);

} // namespace switchscope
