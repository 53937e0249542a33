#pragma once

#include <string>
#include <string_view>

namespace stepgrad {

// Whole files, which are regular ones: neither a folder, nor a device, which may have no end.
// FileError: cannot be read or written.
std::string read_file(const std::string& path);

// Replaces the file, which keeps its mode and owner, or that which a symbolic link leads to, or
// makes a new one. At any moment, also after a crash, a kill or a loss of power, there is the old
// file or the new one, whole: the bytes are written to a new file beside it, flushed, and renamed.
// Of several who write at once, the last one's stays. FileError, and nothing has changed: cannot be
// written, its folder cannot be read, or its owner cannot be kept. A FileError that says so: the
// new file is there, but its folder could not be flushed.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace stepgrad
