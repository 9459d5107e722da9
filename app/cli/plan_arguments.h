// The options that say what to measure, how long and how well.
#pragma once

#include "app/cli/plan_options.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace switchscope {

// An option whose text `use` makes a value of. `kind` stands for the text in the help.
CLI::Option* add_text(CLI::App* verb, const std::string& names, const std::string& kind, const std::string& help,
                      const std::function<void(const std::string&)>& use);

// The plan must outlive the parsing.
void add_plan(CLI::App* verb, PlanOptions&);

} // namespace switchscope
