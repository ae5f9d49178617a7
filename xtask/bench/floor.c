// A process that does nothing: the least that any hook can cost.

__attribute__((noreturn)) void _start(void) {
#if defined(__x86_64__)
    __asm__ volatile("syscall" : : "a"(60L), "D"(0L) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long number __asm__("x8") = 93;
    register long status __asm__("x0") = 0;
    __asm__ volatile("svc #0" : : "r"(number), "r"(status) : "memory");
#else
#error "no system call is known for this architecture"
#endif
    __builtin_unreachable();
}
