// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace meander::bench {
namespace {

constexpr double left = 80, top = 40, wide = 560, high = 240, panel_height = 340, legend = 150;
constexpr const char* colours[] = {"#1b6ca8", "#d1495b", "#3a7d44", "#8e5ea2", "#e08e29", "#2a9d8f",
                                   "#6c584c", "#c71585", "#708090", "#b8860b", "#000000"};

std::string colour_of(std::size_t index) { return colours[index % std::size(colours)]; }

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// A coordinate to a tenth of a unit.
std::string at(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return out;
}

std::string label(double x, double y, const std::string& text, const char* anchor) {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(text) + "</text>\n";
}

std::string line(double x0, double y0, double x1, double y1, const std::string& colour) {
  return "<line x1=\"" + at(x0) + "\" y1=\"" + at(y0) + "\" x2=\"" + at(x1) + "\" y2=\"" + at(y1) +
         "\" stroke=\"" + colour + "\"/>\n";
}

/// The span of values along an axis and the ticks in it.
class Range {
 public:
  explicit Range(bool logarithmic) : logarithmic_(logarithmic) {}

  bool holds(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
  void add(double value) {
    if (!holds(value)) return;
    low_ = std::min(low_, inner(value));
    high_ = std::max(high_, inner(value));
  }
  /// From 0 to 1.
  double place(double value) const {
    return high_ > low_ ? (inner(value) - low_) / (high_ - low_) : 0.5;
  }
  std::vector<double> ticks() const {
    if (low_ > high_) return {};
    return logarithmic_ ? logarithmic_ticks() : even_ticks();
  }

 private:
  double inner(double value) const { return logarithmic_ ? std::log10(value) : value; }
  std::vector<double> even_ticks() const {
    std::vector<double> ticks;
    const double step = round_step();
    for (double tick = std::ceil(low_ / step - 1e-9); tick * step <= high_ + 1e-9 * step; ++tick) {
      ticks.push_back(tick * step);
    }
    return ticks;
  }
  std::vector<double> logarithmic_ticks() const {
    std::vector<double> ticks;
    for (double decade = std::floor(low_); decade <= high_; ++decade) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double place = decade + std::log10(digit);
        const bool wanted = digit == 1 || high_ - low_ < 3;
        if (wanted && place >= low_ && place <= high_) ticks.push_back(std::pow(10, place));
      }
    }
    return ticks;
  }
  /// 1, 2 or 5 times a power of ten, about six of them in the range.
  double round_step() const {
    const double rough = std::max((high_ - low_) / 6, std::numeric_limits<double>::min());
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double digit = rough / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
  }

  bool logarithmic_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

class PanelDrawing {
 public:
  PanelDrawing(const Panel& panel, double y)
      : panel_(panel), y_(y + top), x_range_(panel.logarithmic), y_range_(panel.logarithmic) {
    for (const Series& series : panel.series) {
      for (const auto& [px, py] : series.points) {
        if (!x_range_.holds(px) || !y_range_.holds(py)) continue;
        x_range_.add(px);
        y_range_.add(py);
      }
    }
  }

  std::string text() const {
    std::string out = label(left + wide / 2, y_ - 12, panel_.title, "middle");
    for (const double tick : x_range_.ticks()) {
      out += line(x(tick), y_, x(tick), y_ + high, "#ddd");
      out += label(x(tick), y_ + high + 18, text_of(tick), "middle");
    }
    for (const double tick : y_range_.ticks()) {
      out += line(left, y(tick), left + wide, y(tick), "#ddd");
      out += label(left - 8, y(tick) + 4, text_of(tick), "end");
    }
    out += label(left + wide / 2, y_ + high + 38, panel_.x_label, "middle");
    out += label(left, y_ - 12, panel_.y_label, "middle");
    for (std::size_t i = 0; i < panel_.series.size(); ++i) out += curve(i);
    return out;
  }

 private:
  double x(double value) const { return left + wide * x_range_.place(value); }
  double y(double value) const { return y_ + high * (1 - y_range_.place(value)); }

  std::string curve(std::size_t index) const {
    std::string points;
    for (const auto& [px, py] : panel_.series[index].points) {
      if (x_range_.holds(px) && y_range_.holds(py)) points += at(x(px)) + "," + at(y(py)) + " ";
    }
    return "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" + colour_of(index) +
           "\" points=\"" + points + "\"/>\n";
  }

  const Panel& panel_;
  double y_;
  Range x_range_, y_range_;
};

std::string legend_of(const Panel& panel) {
  std::string out;
  double y = top + 12;
  for (std::size_t i = 0; i < panel.series.size(); ++i, y += 20) {
    out += line(left + wide + 20, y - 4, left + wide + 44, y - 4, colour_of(i));
    out += label(left + wide + 50, y, panel.series[i].name, "start");
  }
  return out;
}

}  // namespace

std::string svg_plot(const std::vector<Panel>& panels) {
  const double height = panel_height * static_cast<double>(panels.size());
  const double width = left + wide + 20 + legend;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + at(width) +
                    "\" height=\"" + at(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  out += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (std::size_t i = 0; i < panels.size(); ++i) {
    out += PanelDrawing(panels[i], panel_height * static_cast<double>(i)).text();
  }
  if (!panels.empty()) out += legend_of(panels[0]);
  return out + "</svg>\n";
}

}  // namespace meander::bench
