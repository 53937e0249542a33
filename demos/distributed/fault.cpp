#include "demos/distributed/fault.hpp"

#include <regex>
#include <sstream>

namespace stepgrad::demo {
namespace {

const char* const said_by_rank_itself = R"(^rank (\d+) on (\S+), in step (\d+): (.*)$)";
const char* const said_by_launcher = R"(^distributed: (.*)$)";
const char* const ended_by_signal =
    R"(process rank (\d+) with PID \d+ on node (\S+) exited on\s+signal (\d+) \((.*)\))";
const char* const ended_without_mpi =
    R"(process rank (\d+) with PID \d+ on\s+node (\S+) exiting\s+improperly)";
const char* const ended_before_mpi_knew_it =
    R"(^-+\s+Primary job\s+terminated normally, but 1 process returned\s+a non-zero exit code)";
const char* const ended_with_code =  // Open MPI 5 says no more of it
    R"(^-+\s+\S+ detected that one or more processes exited with non-zero status[^]*?Process name: )"
    R"(\[\S*,(\d+)\]\s+Exit code:\s+(\d+))";

// std::regex recurses for each character, so only the beginning of a long line is matched.
std::string with_short_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += line.substr(0, 1000) + '\n';
  return result;
}

// Lines like "[host:1234] PMIX ERROR: UNREACHABLE in file" explain nothing.
bool is_only_a_trace(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('[')) return false;
  }
  return true;
}

bool found_in(const std::string& text, const char* pattern, std::smatch& found) {
  return std::regex_search(text, found, std::regex(pattern, std::regex::multiline));
}

std::string in_step(int64_t step) { return ", in step " + std::to_string(step) + ": "; }

// The sentences of Distributed::abort and of a silent rank.
std::string said_by_rank(const std::smatch& found) {
  const std::string what = found[4];
  // Such a message names the differing ranks itself, and each rank prints it.
  if (what.starts_with("rank ")) return what;
  const std::string where = "rank " + found.str(1) + " on " + found.str(2);
  return where + (found[3] == "0" ? ": " : in_step(std::stoll(found[3]))) + what;
}

std::string killed(const std::smatch& found, int64_t step) {
  const std::string signal = found[3];
  return "rank " + found.str(1) + " on " + found.str(2) + in_step(step) + "was ended by signal " +
         signal + " (" + found.str(4) + ")" +
         (signal == "9" ? ", which the kernel sends, too, when memory runs out" : "");
}

}  // namespace

std::string fault_in(const std::string& stderr_text, int64_t step) {
  const std::string text = with_short_lines(stderr_text);
  std::smatch found;
  const auto matches = [&](const char* pattern) { return found_in(text, pattern, found); };
  if (matches(said_by_rank_itself)) return said_by_rank(found);
  if (matches(said_by_launcher)) return found[1];
  if (matches(ended_by_signal)) return killed(found, step);
  if (matches(ended_without_mpi)) {
    return "rank " + found.str(1) + " on " + found.str(2) + in_step(step) + "ended without a word";
  }
  if (matches(R"(^(?:ssh|bash|sh): (.*)$)") ||
      matches(R"(^(.*(?:Permission denied \(|Host key verification failed).*)$)")) {
    return "mpirun cannot start ranks there: " + found.str(1);
  }
  if (matches(R"(parse error in the hostfile:\s+(.*)\s+It occured on line number (\d+))")) {
    return found.str(1) + ": line " + found.str(2) + " is not of the form NAME slots=N";
  }
  if (matches(R"(lost communication with a remote daemon[^]*?Remote daemon\D*\S+ on node (\S+))")) {
    return "host " + found.str(1) + in_step(step) + "the connection was lost";
  }
  if (matches(ended_before_mpi_knew_it) && is_only_a_trace(found.prefix())) {
    return "a rank ended before mpirun knew which, in step " + std::to_string(step);
  }
  if (matches(ended_with_code) && is_only_a_trace(found.prefix())) {
    return "rank " + found.str(1) + in_step(step) + "ended with exit code " + found.str(2);
  }
  return {};
}

bool says_the_end(const std::string& stderr_text) {
  const std::string text = with_short_lines(stderr_text);
  std::smatch found;
  for (const char* end : {said_by_rank_itself, said_by_launcher, ended_by_signal, ended_without_mpi,
                          ended_before_mpi_knew_it}) {
    if (found_in(text, end, found)) return true;
  }
  return false;
}

}  // namespace stepgrad::demo
