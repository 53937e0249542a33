// A debugger's call into the program: it fills in stepgrad_request and calls stepgrad_answer().
#include "core/kernels/threads.hpp"
#include "core/trace/trace.hpp"
#include "core/watch/explain.hpp"

extern "C" {

struct {
  stepgrad::Node* node;
  char path[4096];  // where to write the tape behind the node as a page; empty: explain(*node)
  const char* answer = "";  // explain's
  const char* problem;      // what went wrong, or an empty text
} stepgrad_request;

static void explain_node() {
  static std::string answer, problem;
  answer.clear(), problem.clear();
  try {
    answer = stepgrad::explain(*stepgrad_request.node);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  stepgrad_request.answer = answer.c_str(), stepgrad_request.problem = problem.c_str();
}

[[gnu::used]] void stepgrad_answer() {
  const int threads = stepgrad::get_num_threads();
  stepgrad::set_num_threads(1);  // a debugger lets no other thread run meanwhile
  if (*stepgrad_request.path)
    stepgrad_request.problem = stepgrad_trace(*stepgrad_request.node, stepgrad_request.path);
  else
    explain_node();
  stepgrad::set_num_threads(threads);
}
}

// On some CPUs gdb's own calls break the program, see stepgrad_gdb_calls.py. There gdb pushes the
// program counter below the red zone (128 bytes under the stack pointer) and jumps here. This
// answers, restores all registers including the vector ones, and returns to that address.
#if defined(__x86_64__) && defined(__ELF__)
__asm__(R"(
  .pushsection .text
  .globl stepgrad_visit
  .type stepgrad_visit, @function
stepgrad_visit:
  .cfi_startproc
  .cfi_signal_frame
  .cfi_def_cfa_offset 136
  .cfi_offset 16, -136        # rip
  pushfq
  .cfi_adjust_cfa_offset 8
  .irp register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11
  push %\register
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %\register, 0
  .endr
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  cld
  mov $0xd, %eax              # ebx = the bytes that xsave writes
  xor %ecx, %ecx
  cpuid
  sub %rbx, %rsp
  and $-64, %rsp
  lea 512(%rsp), %rdi         # of these a header of 64, which must be 0
  mov $8, %ecx
  xor %eax, %eax
  rep stosq
  mov $-1, %eax
  mov $-1, %edx
  xsave64 (%rsp)
  call stepgrad_answer@PLT
  mov $-1, %eax
  mov $-1, %edx
  xrstor64 (%rsp)
  mov %rbp, %rsp
  .cfi_def_cfa_register %rsp
  .irp register, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax
  pop %\register
  .cfi_adjust_cfa_offset -8
  .cfi_restore %\register
  .endr
  popfq
  .cfi_adjust_cfa_offset -8
  ret $128
  .cfi_endproc
  .size stepgrad_visit, . - stepgrad_visit
  .popsection
)");
#endif
