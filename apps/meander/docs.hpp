// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "session/verb.hpp"

/// Texts made from the verbs and their options, so that none can be out of date.
namespace meander::app {

std::string overview(const std::vector<Verb>& verbs);
std::string help_of(const Verb& verb, const std::vector<OptionEntry>& common);
std::string man_page(const std::vector<Verb>& verbs, const std::vector<OptionEntry>& common);
std::string bash_completion(const std::vector<Verb>& verbs, const std::vector<OptionEntry>& common);
/// Tables of every option for the documentation.
std::string markdown(const std::vector<Verb>& verbs, const std::vector<OptionEntry>& common);

}  // namespace meander::app
