// One step of an LSTM over the sentences that have not ended yet, without its matrix products.

#include "vectors.h"

extern "C" {

// Computes i, f, o = sigmoid(gates + product), g = tanh(gates + product), c' = f c + i g and h = o tanh(c'). `gates` is
// overwritten by i, f, g, o; `cell` receives c' and `state` receives h. `product` is U h and `previous` is c, both of
// the previous step; in the first step they are null and count as zero.
Answer lstm_forward(void* gates, const void* product, const float* previous, int64_t rows, int64_t features, bool half,
                    float* cell, void* state, int threads) {
    return with_type(half, [=](auto type) {
        using T = decltype(type);
        return for_each_place(rows, features, threads, [=](int64_t place, int64_t column, int64_t width) {
            const int64_t first = 4 * (place - column) + column;
            T* at = (T*)gates + first;
            const T* add = (const T*)product + (product ? first : 0);
            vec z[4];
            for (int64_t n = 0; n < 4; n++) {
                z[n] = load(at + n * features, width);
                if (product) z[n] += load(add + n * features, width);
                z[n] = n == 2 ? tanh_of(z[n]) : sigmoid(z[n]);
                store(z[n], at + n * features, width);
            }
            vec c = z[0] * z[2];
            if (previous) c += z[1] * load(previous + place, width);
            store(c, cell + place, width);
            store(z[3] * tanh_of(c), (T*)state + place, width);
        });
    });
}

// From the gradient of h, which is `gradient` + `next_gradient`, and that of c in `cell_gradient`, computes the
// gradients of the four sums (`to_gates`), and overwrites `cell_gradient` with the gradient of the c of the previous
// step.
Answer lstm_backward(const void* gates, const float* cell, const float* previous, const void* gradient,
                     const void* next_gradient, int64_t rows, int64_t features, bool half, float* cell_gradient,
                     void* to_gates, int threads) {
    return with_type(half, [=](auto type) {
        using T = decltype(type);
        return for_each_place(rows, features, threads, [=](int64_t place, int64_t column, int64_t width) {
            const int64_t first = 4 * (place - column) + column;
            const T* at = (const T*)gates + first;
            T* to = (T*)to_gates + first;
            vec z[4];
            for (int64_t n = 0; n < 4; n++) z[n] = load(at + n * features, width);
            const vec to_state = load((const T*)gradient + place, width) + load((const T*)next_gradient + place, width);
            const vec t = tanh_of(load(cell + place, width));
            const vec to_cell = load(cell_gradient + place, width) + to_state * z[3] * (1.0f - t * t);
            const vec c = previous ? load(previous + place, width) : vec{};
            store(to_cell * z[2] * z[0] * (1.0f - z[0]), to, width);
            store(to_cell * c * z[1] * (1.0f - z[1]), to + features, width);
            store(to_cell * z[0] * (1.0f - z[2] * z[2]), to + 2 * features, width);
            store(to_state * t * z[3] * (1.0f - z[3]), to + 3 * features, width);
            store(to_cell * z[1], cell_gradient + place, width);
        });
    });
}

}  // extern "C"
