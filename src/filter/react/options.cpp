// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/number_text.hpp"
#include "meander/react.hpp"

namespace meander {
namespace {

constexpr std::pair<char, double Genes::*> gene_names[] = {
    {'a', &Genes::a}, {'b', &Genes::b}, {'c', &Genes::c}, {'e', &Genes::e}};

Genes no_genes() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {.a = nan, .b = nan, .c = nan, .e = nan};
}

/// The gene that "b=1.2" names; null when there is none.
double* gene_named(Genes& genes, std::string_view text) {
  for (const auto& [name, member] : gene_names) {
    if (text.size() > 2 && text[0] == name && text[1] == '=') return &(genes.*member);
  }
  return nullptr;
}

}  // namespace

Genes OptionText<Genes>::parse(std::string_view text) {
  Genes genes = no_genes();
  std::string_view rest = text;
  while (true) {
    const auto comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    double* gene = gene_named(genes, part);
    const auto value = gene == nullptr ? std::nullopt : number_in<double>(part.substr(2));
    // One that has a value already was named twice.
    if (!value || std::isnan(*value) || !std::isnan(*gene)) detail::refuse_text(text, syntax());
    *gene = *value;
    if (comma == std::string_view::npos) return genes;
    rest.remove_prefix(comma + 1);
  }
}

std::string OptionText<Genes>::format(const Genes& value) {
  std::string text;
  for (const auto& [name, member] : gene_names) {
    if (std::isnan(value.*member)) continue;
    text += (text.empty() ? "" : ",") + std::string(1, name) + "=" +
            OptionText<double>::format(value.*member);
  }
  return text;
}

Genes completed(Genes named, const Genes& others) {
  for (const auto& [name, member] : gene_names) {
    if (std::isnan(named.*member)) named.*member = others.*member;
  }
  return named;
}

ReactWindow OptionText<ReactWindow>::parse(std::string_view text) {
  if (text == "full") return ReactWindow::Kind::full;
  if (text == "range") return ReactWindow::Kind::range;
  if (text == "auto") return ReactWindow::Kind::automatic;
  if (text == "fit") return ReactWindow::Kind::fit;
  const auto ends = rising_pair(text);
  if (!ends) detail::refuse_text(text, syntax() + ", LO smaller than HI");
  return {(*ends)[0], (*ends)[1]};
}

std::string OptionText<ReactWindow>::format(const ReactWindow& value) {
  switch (value.kind) {
    case ReactWindow::Kind::full:
      return "full";
    case ReactWindow::Kind::range:
      return "range";
    case ReactWindow::Kind::automatic:
      return "auto";
    case ReactWindow::Kind::fit:
      return "fit";
    case ReactWindow::Kind::given:
      return OptionText<std::array<double, 2>>::format(value.ends);
  }
  throw LogicError("the kind of a window is outside its enumeration");
}

ReactMap OptionText<ReactMap>::parse(std::string_view text) {
  if (text == "range") return {.kind = ReactMap::Kind::range};
  if (text == "input") return {.kind = ReactMap::Kind::input};
  const auto window = rising_pair(text);
  if (!window) detail::refuse_text(text, syntax() + ", LO smaller than HI");
  return {.kind = ReactMap::Kind::window, .window = *window};
}

std::string OptionText<ReactMap>::format(const ReactMap& value) {
  switch (value.kind) {
    case ReactMap::Kind::range:
      return "range";
    case ReactMap::Kind::input:
      return "input";
    case ReactMap::Kind::window:
      return OptionText<std::array<double, 2>>::format(value.window);
  }
  throw LogicError("the kind of a map is outside its enumeration");
}

}  // namespace meander
