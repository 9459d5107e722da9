#include "app/cli/loaded_text.h"

#include "app/cli/table.h"
#include "app/cli/terminal.h"
#include "engine/export/export.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unistd.h>

namespace switchscope {

std::string document_text(const LoadedRun& loaded) {
  return result_document(loaded.run, loaded.visits, loaded.estimates, loaded.resumptions).dump(2) + '\n';
}

std::string table_text(const LoadedRun& loaded) {
  return result_table(loaded.run, loaded.visits, loaded.estimates, loaded.resumptions,
                      std::min(terminal_columns(STDOUT_FILENO), table_columns));
}

} // namespace switchscope
