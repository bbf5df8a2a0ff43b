// Dropout, ELU and DiSAN's fusion gate, each in one pass over memory.

#include "vectors.h"

namespace {

// Random bits as a function of a position and a seed, without state: a mixing permutation of 32 bits with two keys.
struct Bits {
    uint32_t low, high;

    // The seed is mixed first, so that the keys of neighbouring seeds are unrelated.
    explicit Bits(uint64_t seed) {
        uint64_t x = seed + 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        x ^= x >> 31;
        low = static_cast<uint32_t>(x), high = static_cast<uint32_t>(x >> 32);
    }
    uvec operator()(uvec place) const {
        uvec x = place * 0x9E3779B1u + low;
        x = (x ^ (x >> 16)) * 0x21F0AAADu;
        x = ((x ^ (x >> 15)) + high) * 0x735A2D97u;
        return x ^ (x >> 15);
    }
};

template <typename T>
inline vec gate(const T* x, const T* y, const float* b, int64_t width) {
    return sigmoid(load(x, width) + load(y, width) + load(b, width));
}

// exp(x) - 1 loses its digits near 0, where the series of four terms has an error of 1e-8.
inline vec elu(vec x) {
    const vec series = x * (1.0f + x * (0.5f + x * (0.166666667f + x * 0.0416666667f)));
    const vec negative = x > -0.0625f ? series : exponential(x) - 1.0f;
    return x > 0.0f ? x : negative;
}

}  // namespace

extern "C" {

// Computes y = scale x with probability kept / 2^16, else 0. The decision depends on the position and the seed alone,
// so the backward pass needs no stored mask. 32 random bits decide for two positions, 16 numbers apart.
Answer dropout(const void* x, int64_t number, int64_t seed, int64_t kept, float scale, void* y, bool half_in,
               bool half_out, int threads) {
    const Bits random(static_cast<uint64_t>(seed));
    const uint32_t bound = static_cast<uint32_t>(kept);
    uvec steps;
    for (uint32_t lane = 0; lane < lanes; lane++) steps[lane] = lane;
    return with_type(half_in, [=](auto in) {
        return with_type(half_out, [=](auto out) {
            const auto* from = (const decltype(in)*)x;
            auto* to = (decltype(out)*)y;
#pragma omp parallel for num_threads(team(number, threads)) schedule(static)
            for (int64_t begin = 0; begin < number; begin += 2 * lanes) {
                const uvec bits = random(steps + static_cast<uint32_t>(begin / 2));
                const int64_t first = std::min(lanes, number - begin), second = std::min(lanes, number - begin - first);
                store((bits & 0xFFFFu) < bound ? load(from + begin, first) * scale : vec{}, to + begin, first);
                if (second <= 0) continue;
                const int64_t next = begin + lanes;
                store((bits >> 16) < bound ? load(from + next, second) * scale : vec{}, to + next, second);
            }
            return done;
        });
    });
}

// Computes y = elu(x): x above 0, exp(x) - 1 below.
Answer elu_forward(const void* x, int64_t number, bool half, void* y, int threads) {
    return with_type(half, [=](auto type) {
        using T = decltype(type);
        const auto compute = [=](int64_t at, int64_t, int64_t width) {
            store(elu(load((const T*)x + at, width)), (T*)y + at, width);
        };
        constexpr int64_t piece = 4096;  // the numbers that a thread takes at a time
        const int64_t whole = number / piece * piece;
        for_each_place(number / piece, piece, threads, compute);
        return for_each_place(1, number - whole, 1, [=](int64_t at, int64_t column, int64_t width) {
            compute(at + whole, column, width);
        });
    });
}

// Computes u = F (.) h + (1 - F) (.) s with F = sigmoid(x + y + bias): DiSAN, equations 19 and 20.
Answer gate_forward(const void* x, const void* y, const float* bias, const void* h, const void* s, int64_t rows,
                    int64_t features, bool half, void* u, int threads) {
    return with_type(half, [=](auto type) {
        using T = decltype(type);
        return for_each_place(rows, features, threads, [=](int64_t at, int64_t column, int64_t width) {
            const vec f = gate((const T*)x + at, (const T*)y + at, bias + column, width);
            const vec other = load((const T*)s + at, width);
            store(other + f * (load((const T*)h + at, width) - other), (T*)u + at, width);
        });
    });
}

// Computes the gradients of x, h and s. That of x is also the gradient of y and, summed over rows, of the bias.
Answer gate_backward(const void* x, const void* y, const float* bias, const void* h, const void* s,
                     const void* gradient, int64_t rows, int64_t features, bool half, void* x_gradient,
                     void* h_gradient, void* s_gradient, int threads) {
    return with_type(half, [=](auto type) {
        using T = decltype(type);
        return for_each_place(rows, features, threads, [=](int64_t at, int64_t column, int64_t width) {
            const vec f = gate((const T*)x + at, (const T*)y + at, bias + column, width);
            const vec d = load((const T*)gradient + at, width), to_h = d * f;
            const vec difference = load((const T*)h + at, width) - load((const T*)s + at, width);
            store(to_h * (1.0f - f) * difference, (T*)x_gradient + at, width);
            store(to_h, (T*)h_gradient + at, width);
            store(d - to_h, (T*)s_gradient + at, width);
        });
    });
}

}  // extern "C"
