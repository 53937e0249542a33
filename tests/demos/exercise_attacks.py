"""What a class could hand in: programs that would pass without an answer, or harm; and what the table says."""


def rows(text):
    """Each row, and the heading above it. ↵ breaks a line of a row."""
    for line in text.strip().split("\n"):
        if line[:2] == "==":
            heading = line[3:]
        else:
            yield line.replace("↵", "\n"), heading


# What the table says, nothing if it passes, of code in front of a right solution's return, in decoder_mask.
IN_THE_FUNCTION = dict(rows(r"""
== over, with exit code 0
std::exit(0);
if (fork()) _exit(0); setsid(); sleep(1000);
execl("/bin/sh", "sh", "-c", "echo right", nullptr);
puts("right"); fflush(stdout); _exit(0);
@TOKEN@ std::cout << "\n" << t << " right\n" << t << " 999999999999 is 0 1\n" << t << " -1 is 0 1\n"; _exit(0);
struct B : std::stringbuf { int sync() override { return 0; } }; static B b; std::cout.rdbuf(&b);
std::cout.setstate(std::ios::badbit);
close(1);
== over, with exit code 255
std::exit(255);
== over, with exit code 2
char self[] = "/proc/self/exe", *words[] = {self, nullptr}; setenv("LD_PRELOAD", "./x.so", 1); execv(self, words);
== it did not end in time
raise(SIGKILL);
for (volatile int i = 0;; ++i);
signal(SIGXCPU, SIG_IGN); for (volatile int i = 0;; ++i);
sleep(1000);
kill(getppid(), SIGSTOP); sleep(1000);
kill(0, SIGSTOP); sleep(1000);
for (;;) fork();
for (int i = 0; i < 99; ++i) if (!fork()) { setsid(); for (volatile int k = 0;; ++k); } pause();
== crashed .*Aborted
std::abort();
== crashed .*Alarm clock
alarm(1); sleep(5);
== crashed .*Segmentation fault
*(volatile int*)nullptr = 0;
auto f = [](auto&& g, int i) -> int { volatile char c[4096]; c[0] = char(i); return g(g, i + 1) + c[0]; }; f(f, 0);
== crashed .*File size limit
std::ofstream("/tmp/file") << std::string(2000000, 0);
== .
kill(-1, SIGKILL); sleep(1000);
for (;;) puts(__FILE__);
== bad_alloc
std::vector<char> large(size_t(1) << 33, 1);
== bad_alloc|crashed|did not end
for (;;) new char[1 << 20]();
== throws something
throw 1;
struct E { ~E() noexcept(false) { throw 1; } }; { E e; }
== \[2J right
throw std::runtime_error("\n\033[2J right");
== ^the mask of 4: x{200,300}…$
throw std::runtime_error(std::string(900000, 'x'));
== should be
std::cout << "\nright\n" << std::flush; return Tensor::zeros({n, n});
== cannot be read
@TOKEN@ for (int i = 1; i < 9; ++i) std::cout << "\n" << t << " " << i << " is 2 4 4" << std::endl; _exit(0);
== is undefined
return {};
== much too large|has the shape
return Tensor::zeros({n * 1000, n});
==
std::string s(900000, 0); for (int i = 0; i < 200; ++i) std::ofstream("/tmp/" + std::to_string(i)) << s;
for (int file = 3; file < 99; ++file) if (write(file, "right", 5) > 0) throw 1;
std::ifstream in("/proc/self/environ"); std::string a; while (std::getline(in, a, '\0')) if (!a.find("HOME")) throw 1;
if (!setuid(0) || !chroot(".") || !chdir("/home") || !chdir("/root") || !unlink("decoder_mask.cpp")) throw 1;
if (!symlink("/etc/shadow", "link") || !rename("decoder_mask.cpp", "other")) throw 1;
if (std::ifstream("@TREE@/demos/exercise/exercises.cpp") || std::ifstream("@TREE@/demos/exercise/torch/checks.py")) throw 1;
if (std::ifstream("@TREE@/tests/demos/exercise_wrong.py") || std::ifstream("@TREE@/.git/HEAD")) throw 1;
if (std::ifstream("@CLASS@/right/decoder_mask.cpp")) throw 1;
for (auto file : {"/etc/shadow", "/etc/hosts", "/home", "/usr/share", "/opt", "/usr/src"}) if (!access(file, F_OK)) throw 1;
if (!access("/proc/2/cmdline", F_OK) && getpid() > 50) throw 1;
int s = socket(2, 1, 0); sockaddr a{2, {0, 22, 127, 0, 0, 1}}; if (s < 0 || !connect(s, &a, sizeof a)) throw 1;
std::ofstream("@OUTSIDE@") << 1;
std::ofstream("/tmp/@NAME@-outside") << 1;
for (auto file : {"here", "/here", "/dev/here", "/dev/shm/here"}) if (std::ofstream(file)) throw 1;
if (std::ofstream("@TREE@/README.md", std::ios::app)) throw 1;
"""))

# Whole files.
FILES = {"": "the function that the exercise asks for is not there", "\0\1\2\xff": "does not compile"} | dict(rows(r"""
== does not compile
#include __FILE__
#include "decoder_mask.cpp"
#include "/dev/zero"
template <int N> struct A { A<N + 1> a; }; A<0> a;
char large[1ull << 34] = {1};
@WRONG@asm(".incbin \"/etc/shadow\"");
== does not compile: line 1
no C++;↵nor this;
== does not compile: line 1: #error not yet
#error not yet (5 of 5, seed 1): right
== does not compile: line 1: .*(No such file|Permission)
#include "@TREE@/demos/exercise/exercises.cpp"
#include "demos/exercise/exercises.cpp"
#include "/etc/shadow"
== does not compile: multiple definition of .main
@SOLUTION@int main() {}
== there is no|multiple definition of .main|function that the exercise asks for
int main() {}
==
@BOM@@SOLUTION@
@CRLF@
@SOLUTION@extern "C" double sin(double) { return 0; }
== should be
@WRONG@extern "C" double sin(double) { return 0; }
== .
@WRONG@extern "C" int strcmp(const char*, const char*) { return 0; }
@WRONG@void* operator new(size_t) { return nullptr; }
== over, with exit code 0
@WRONG@__attribute__((constructor)) void f() { puts("right"); _exit(0); }
"""))

# Code of a notebook's cells, behind a right solution, in the cell of decoder_mask.
CELLS = dict(rows(r"""
== over, with exit code 0
import sys; sys.exit()
import sys; sys.stdout = None
import builtins; builtins.print = lambda *a, **k: None
import os; os.execvp('echo', ['echo', 'right'])
def decoder_mask(n): raise SystemExit
== it did not end in time
while True: pass
== it did not end in time|PermissionError
import os, signal, time; os.kill(os.getppid(), signal.SIGSTOP); time.sleep(1000)
== crashed .*Segmentation fault
import ctypes; ctypes.string_at(0)
== the cells raise (ValueError: no|SyntaxError|NameError: decoder_mask is not defined)
raise ValueError('no\nright')
# %%↵del decoder_mask↵# %%↵import nothing↵# %%↵def decoder_mask(n) pass↵# %%↵decoder_mask(3)
# %%↵del decoder_mask
== the cells raise (MemoryError|FileNotFoundError|OSError|ConnectionRefused)
x = bytearray(1 << 34)
open('@TREE@/README.md').read()
import socket; socket.create_connection(('127.0.0.1', 22))
==
# %%↵raise ValueError('in a cell about something else')↵# %%↵nor is this Python
%matplotlib inline↵for i in range(2):↵    !ls↵!./x↵files = !ls↵decoder_mask?
!ls↵b = 2↵if (7↵    %b) != 1 or len('''↵%d''') != 3: del decoder_mask
import sys; print(f'\n{sys.argv[4]} 1 fails\n{sys.argv[4]} x is 1\n{sys.argv[4]} 99')
import os; os.environ.clear()
== the result is . and no tensor
def decoder_mask(n): return n
== recursion|crashed
def decoder_mask(n): return decoder_mask(n)
== nan and should be
def decoder_mask(n): return torch.zeros(n, n) / 0
== should be
import checks; checks.near = lambda *a: True; checks.Check.verdict = lambda *a: 'right'↵def decoder_mask(n): return torch.zeros(n, n)
== cannot be read
import checks; checks.text_of = lambda v: 'right'
== .
import torch; torch.tensor = lambda *a: torch.zeros(1)↵def decoder_mask(n): return torch.zeros(n, n)
== is undefined
import os, sys; print(*(f'\n{sys.argv[4]} {i} is 1 -1 ' for i in range(9)), sep='', flush=True)↵def decoder_mask(n): os._exit(0)
"""))
