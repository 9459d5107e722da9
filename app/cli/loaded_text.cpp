#include "app/cli/loaded_text.h"

#include "app/cli/instrument_text.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "engine/export/export.h"
#include "engine/model/utc.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unistd.h>

namespace switchscope {

std::string document_text(const LoadedRun& loaded) {
  return result_document(loaded.run, loaded.visits, loaded.estimates, loaded.resumptions, loaded.instrument_check)
             .dump(2) +
         '\n';
}

std::string table_text(const LoadedRun& loaded) {
  const int columns = std::min(terminal_columns(STDOUT_FILENO), table_columns);
  return result_table(loaded.run, loaded.visits, loaded.estimates, loaded.resumptions, columns) +
         instrument_line(loaded.instrument_check, loaded.run.started_at, utc_now_text(), columns);
}

} // namespace switchscope
