#pragma once

#include <string>
#include <string_view>

namespace stepgrad {

// Whole files, which are regular ones: neither a folder, nor a device, which may have no end.
// FileError: cannot be read or written.
std::string read_file(const std::string& path);

// Replaces the file, or makes a new one, and keeps its mode. At any moment, also after a crash, a
// kill or a loss of power, there is the old file or the new one, whole: the bytes are written
// beside it, to path.part, flushed, and renamed. FileError, and nothing has changed: cannot be
// written, or somebody else is writing it.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace stepgrad
