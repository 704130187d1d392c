// A symbol as GCC 14 makes it of an object in an unnamed namespace: one that the linker may take for that of another source.
extern "C" {
extern int _ZN8recmeter12_GLOBAL__N_14formE;  // NOLINT: the name is the point
__attribute__((weak)) int _ZN8recmeter12_GLOBAL__N_14formE = 1;
}
