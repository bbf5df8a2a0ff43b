"""C++ kernels for the CPU, and the torch references that they are tested against. They need torch alone."""
