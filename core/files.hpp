#pragma once

#include <string>
#include <string_view>

namespace stepgrad {

// The content of a regular file. FileError: cannot be read, is a folder or device, or the name has
// a NUL byte. OutOfMemory: it is too large.
std::string read_file(const std::string& path);

// Replaces the file, or the target of a symbolic link, keeping its mode and owner; or makes a new
// one. The bytes are written to a temporary file beside it, .stepgrad-PID-N.part, flushed, then
// renamed: after a crash, a kill or a loss of power there is either the old file or the new one,
// whole. Temporary files of killed processes are removed from the folder. If several write at once,
// the last one wins. FileError, with nothing changed: cannot be written, its folder cannot be read,
// or its owner cannot be kept. If only flushing the folder failed, the FileError says that the new
// file is there.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace stepgrad
