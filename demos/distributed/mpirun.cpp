#include "demos/distributed/mpirun.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "core/check.hpp"
#include "core/files.hpp"
#include "demos/parts/other_load.hpp"
#include "demos/parts/terminal.hpp"

namespace stepgrad::demo {
namespace {

std::string at_path(const std::string& program) {
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = folder + '/' + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-./=:,@") == word.npos;
  if (plain && !word.empty()) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

void require_possible(const Options& options) {
  check<ValueError>(options.ranks <= options.micro_batches, options.ranks, " ranks have only ",
                    options.micro_batches,
                    " micro-batches to share out: some would have nothing to do.");
  check<FileError>(!at_path("mpirun").empty(),
                   "mpirun is not installed: it comes with Debian's openmpi-bin.");
  if (options.step) {
    check<ValueError>(*options.step < options.ranks, "there is no rank ", *options.step, " among ",
                      options.ranks, ", which begin with 0.");
    check<FileError>(!at_path("gdb").empty(), "gdb is not installed: it is a package of its own.");
  }
  if (options.hosts.empty()) return;
  read_file(options.hosts);  // it throws where it cannot be read
  check<FileError>(!at_path("ssh").empty() || std::getenv("OMPI_MCA_plm_rsh_agent"),
                   "ssh, which reaches other hosts, is not installed: it comes with Debian's "
                   "openssh-client.");
}

std::vector<std::string> mpirun(const Options& options, const std::vector<std::string>& arguments) {
  // --bind-to none: a rank has several threads. Copies between processes' memory are faster, but
  // forbidden in many containers.
  std::vector<std::string> command{
      "mpirun", "--bind-to", "none", "--oversubscribe", "--mca", "btl_vader_single_copy_mechanism",
      "none"};
  const auto add = [&](std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
  };
  if (::geteuid() == 0) add({"--allow-run-as-root"});
  int64_t threads = options.threads;
  if (options.hosts.empty()) {
    // Shared memory suffices. Searching for networks would take each rank 0.2 s, and the end of
    // libfabric's module (ofi) sleeps for a second.
    add({"--mca", "btl", "^tcp,ofi", "--mca", "pml", "ob1"});
    if (!threads) threads = std::max<int64_t>(1, cores() / options.ranks);
  } else {
    add({"--hostfile", options.hosts, "--mca", "orte_keep_fqdn_hostnames", "1"});
    add({"--mca", "plm_rsh_args", "-o BatchMode=yes -o ConnectTimeout=10"});
  }
  if (threads) add({"-x", "OMP_NUM_THREADS=" + std::to_string(threads)});
  if (!on_terminal()) add({"-x", "TERM=dumb"});  // ranks think that they write to one
  add({"-n", std::to_string(options.ranks)});
  add({std::filesystem::read_symlink("/proc/self/exe").string()});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::string command_of(const std::vector<std::string>& arguments) {
  std::string line = "demos/run distributed";
  for (const std::string& word : arguments) line += ' ' + quoted(word);
  return line;
}

}  // namespace stepgrad::demo
