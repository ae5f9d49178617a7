// A process that reads stdin to its end and keeps it: what any reader of a payload must pay.

static char input[64 << 20];

static long call(long number, long first, long second, long third) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = first;
    register long x1 __asm__("x1") = second;
    register long x2 __asm__("x2") = third;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#else
#error "no system call is known for this architecture"
#endif
}

#if defined(__x86_64__)
enum { READ = 0, EXIT = 60 };
#elif defined(__aarch64__)
enum { READ = 63, EXIT = 93 };
#endif

__attribute__((noreturn)) void _start(void) {
    unsigned long length = 0;
    long got;
    while ((got = call(READ, 0, (long)(input + length), (long)(sizeof input - length))) > 0)
        length += (unsigned long)got;
    call(EXIT, got < 0, 0, 0);
    __builtin_unreachable();
}
