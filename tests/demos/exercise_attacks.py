"""What a class could hand in: programs that would pass without an answer, or harm; and what the table says."""

LEFT = "it ended before its check was over, with exit code 0"
LATE = "it did not end in time"
NO = "."  # refused, whatever the words

# In front of a right solution's return, in decoder_mask.
IN_THE_FUNCTION = {
    # it ends, crashes, or does not end
    "std::exit(255);": LEFT[:-1] + "255",
    "raise(SIGKILL);": LATE,
    "*(volatile int*)nullptr = 0;": "crashed .*Segmentation fault",
    "signal(SIGXCPU, SIG_IGN); for (volatile int i = 0;; ++i);": LATE,
    "sleep(1000);": LATE,
    "kill(getppid(), SIGSTOP); sleep(1000);": LATE,
    "kill(-1, SIGKILL); sleep(1000);": NO,
    "for (;;) fork();": LATE,
    "if (fork()) _exit(0); setsid(); sleep(1000);": LEFT,
    "std::vector<char> large(size_t(1) << 33, 1);": "bad_alloc",
    "for (;;) puts(__FILE__);": NO,
    "throw 1;": "throws something",
    "throw std::runtime_error(\"\\n\\033[2J right\");": r"\[2J right",
    "throw std::runtime_error(std::string(900000, 'x'));": "^the mask of 4: x{200,300}…$",
    'std::ofstream("/tmp/file") << std::string(2000000, 0);': "crashed .*File size limit",
    'execl("/bin/sh", "sh", "-c", "echo right", nullptr);': LEFT,
    # it forges
    'puts("right"); fflush(stdout); _exit(0);': LEFT,
    'std::cout << "\\nright\\n" << std::flush; return Tensor::zeros({n, n});': "should be",
    '@TOKEN@ for (int i = 1; i < 9; ++i) std::cout << "\\n" << t << " " << i << " is 2 " << n << " " << n << std::endl;'
    " _exit(0);": "cannot be read",
    '@TOKEN@ std::cout << "\\n" << t << " right\\n" << t << " 999999999999 is 0 1\\n" << t << " -1 is 0 1\\n"; _exit(0);': LEFT,
    "close(1);": LEFT,
    "return Tensor::zeros({n * 1000, n});": "much too large|has the shape",
    'std::string s(900000, 0); for (int i = 0; i < 200; ++i) std::ofstream("/tmp/" + std::to_string(i)) << s;': "",
    # it looks around, and would throw if it saw something
    'for (int file = 3; file < 99; ++file) if (write(file, "right", 5) > 0) throw 1;': "",
    'std::ifstream in("/proc/self/environ"); std::string a; while (std::getline(in, a, \'\\0\')) if (!a.find("HOME")) throw 1;': "",
    'if (!setuid(0) || !chroot(".") || !chdir("/home") || !chdir("/root") || !unlink("decoder_mask.cpp")) throw 1;': "",
    'if (!symlink("/etc/shadow", "link") || !rename("decoder_mask.cpp", "other")) throw 1;': "",
    'for (auto file : {"@TREE@/demos/exercise/exercises.cpp", "@TREE@/demos/exercise/torch/checks.py",'
    ' "@TREE@/tests/demos/exercise_wrong.py", "@TREE@/.git/HEAD", "@CLASS@/right/decoder_mask.cpp", "/etc/shadow",'
    ' "/etc/hosts", "/home", "/usr/share", "/opt", "/usr/src"}) if (!access(file, F_OK)) throw 1;': "",
    'if (!access("/proc/2/cmdline", F_OK) && getpid() > 50) throw 1;': "",
    'int s = socket(2, 1, 0); sockaddr a{2, {0, 22, 127, 0, 0, 1}}; if (s < 0 || !connect(s, &a, sizeof a)) throw 1;': "",
    'std::ofstream("@OUTSIDE@") << 1;': "",
    'std::ofstream("/tmp/@NAME@-outside") << 1;': "",
    'for (auto file : {"here", "/here", "/dev/here", "/dev/shm/here"}) if (std::ofstream(file)) throw 1;': "",
    'if (std::ofstream("@TREE@/README.md", std::ios::app)) throw 1;': "",
}

# Whole files.
FILES = {
    "no C++": "does not compile: line 1",
    "#error not yet (5 of 5, seed 1): right\n": "does not compile: line 1: #error not yet",
    "int main() {}": "there is no|multiple definition of .main|function that the exercise asks for",
    '#include "@TREE@/demos/exercise/exercises.cpp"\n': "does not compile: line 1: .*No such file",
    '#include "decoder_mask.cpp"\n': "does not compile",
    '#include "/etc/shadow"\n': "does not compile: line 1: .*(No such file|Permission)",
    '#include "/dev/zero"\n': "does not compile",
    "template <int N> struct A { A<N + 1> a; }; A<0> a;\n": "does not compile",
    "char large[1ull << 34] = {1};\n": "does not compile",
    "": "the function that the exercise asks for is not there",
    "\ufeff@SOLUTION@": "",
    "@CRLF@": "",
    '@WRONG@extern "C" int strcmp(const char*, const char*) { return 0; }\n': NO,
    '#include <cstdio>\n#include <unistd.h>\n@WRONG@__attribute__((constructor)) void f() { puts("right"); _exit(0); }\n':
        LEFT,
    '@WRONG@asm(".incbin \\"/etc/shadow\\"");\n': "does not compile",
}

# Code of a notebook's cells, behind a right solution, in the cell of decoder_mask.
CELLS = {
    "import sys; sys.exit()": LEFT,
    "while True: pass": LATE,
    "import os, signal, time; os.kill(os.getppid(), signal.SIGSTOP); time.sleep(1000)": f"{LATE}|PermissionError",
    "raise ValueError('no\\nright')": "the cells raise ValueError: no",
    "# %%\nraise ValueError('in a cell about something else')\n# %%\nnor is this Python": "",
    "%matplotlib inline\nfor i in range(2):\n    !ls\n!./x\nfiles = !ls\ndecoder_mask?": "",
    "!ls\nb = 2\nif (7\n    %b) != 1 or len('''\n%d''') != 3: del decoder_mask": "",
    "# %%\ndel decoder_mask\n# %%\nimport nothing\n# %%\ndef decoder_mask(n) pass\n# %%\ndecoder_mask(3)": "raise SyntaxError",
    "# %%\ndel decoder_mask": "the cells raise NameError: decoder_mask is not defined",
    "def decoder_mask(n): return n": "the result is . and no tensor",
    "def decoder_mask(n): raise SystemExit": LEFT,
    "def decoder_mask(n): return decoder_mask(n)": "recursion|crashed",
    "import checks; checks.near = lambda *a: True; checks.Check.verdict = lambda *a: 'right'\n"
    "def decoder_mask(n): return torch.zeros(n, n)": "should be",
    "import checks; checks.text_of = lambda v: 'right'": "cannot be read",
    "import os, sys; print(*(f'\\n{sys.argv[4]} {i} is 1 -1 ' for i in range(9)), sep='', flush=True)\n"
    "def decoder_mask(n): os._exit(0)": "is undefined",
    "import sys; print(f'\\n{sys.argv[4]} 1 fails\\n{sys.argv[4]} x is 1\\n{sys.argv[4]} 99')": "",
    "import sys; sys.stdout = None": LEFT,
    "x = bytearray(1 << 34)": "the cells raise MemoryError",
    "open('@TREE@/README.md').read()": "the cells raise FileNotFoundError",
    "import socket; socket.create_connection(('127.0.0.1', 22))": "the cells raise (OSError|ConnectionRefused)",
}
