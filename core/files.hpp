#pragma once

#include <string>
#include <string_view>

namespace stepgrad {

// The content of a regular file. FileError: cannot be read, is a folder or device, or the name has
// a NUL byte. OutOfMemory: it is too large.
std::string read_file(const std::string& path);

// Replaces the file, keeping its mode, or makes a new one. The bytes are written to a temporary
// file beside it, PATH.PID-N.part, flushed, then renamed: after a crash, a kill or a loss of power
// there is either the old file or the new one, whole, and perhaps the temporary one.
// If several write at once, the last one wins; on Windows, some of them and of those who read are
// refused. FileError, with nothing changed: cannot be written, is a folder, device or read-only, or
// the name has a NUL byte.
void write_file(const std::string& path, std::string_view bytes);

}
