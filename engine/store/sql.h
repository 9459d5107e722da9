// Values in and out of SQL statements by position, so that a list of columns is written once and read in the same
// order.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace switchscope {

inline void bind_value(SQLite::Statement& statement, int at, int value) {
  statement.bind(at, value);
}
inline void bind_value(SQLite::Statement& statement, int at, std::int64_t value) {
  statement.bind(at, value);
}
inline void bind_value(SQLite::Statement& statement, int at, double value) {
  statement.bind(at, value);
}
inline void bind_value(SQLite::Statement& statement, int at, std::string_view value) {
  statement.bind(at, std::string(value));
}
template <class T> void bind_value(SQLite::Statement& statement, int at, const std::optional<T>& value) {
  if (value)
    bind_value(statement, at, *value);
  else
    statement.bind(at); // NULL
}

// Binds to ?1, ?2, ... in order.
template <class... Values> void bind_row(SQLite::Statement& statement, const Values&... values) {
  int at = 0;
  (bind_value(statement, ++at, values), ...);
}

// One INSERT, UPDATE or DELETE; returns the rows changed.
template <class... Values> int run_sql(SQLite::Database& database, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(database, sql);
  bind_row(statement, values...);
  return statement.exec();
}

// The columns of the current row from left to right.
class RowReader {
public:
  explicit RowReader(SQLite::Statement& statement) : statement_(statement) {}

  std::int64_t integer() { return statement_.getColumn(at_++).getInt64(); }
  int small_integer() { return static_cast<int>(integer()); }
  double real() { return statement_.getColumn(at_++).getDouble(); }
  std::string text() { return statement_.getColumn(at_++).getString(); }
  std::optional<std::string> text_or_null() {
    if (!statement_.isColumnNull(at_)) return text();
    skip(1);
    return std::nullopt;
  }
  [[nodiscard]] bool next_is_null() const { return statement_.isColumnNull(at_); }
  void skip(int columns) { at_ += columns; }

private:
  SQLite::Statement& statement_;
  int at_ = 0;
};

} // namespace switchscope
