"""Fast ways, written in C++ for the CPU, beside the plain ones in torch. Imports nothing but torch."""
