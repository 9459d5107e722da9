#include "engine/analysis/wide_interval.h"

#include "engine/analysis/intervals.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace switchscope {

Interval trimmed_t_interval(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const TrimmedMean trimmed = trimmed_mean_of(values);
  if (values.size() < visits_for_interval) return {trimmed.mean, values.front(), values.back(), false};
  const double half_width = boost::math::quantile(boost::math::students_t(trimmed.kept - 1), (1 + level) / 2) *
                            std::sqrt(trimmed.squared_error);
  return {trimmed.mean, trimmed.mean - half_width, trimmed.mean + half_width, true};
}

} // namespace switchscope
