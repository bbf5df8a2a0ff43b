// One step of Adadelta (Zeiler 2012) in one pass over memory.

#include "vectors.h"

extern "C" {

// Updates `weight`, `square` and `delta` in place. A weight decay of w adds w * weight to the gradient.
Answer adadelta(float* weight, const float* gradient, float* square, float* delta, int64_t number, float lr, float rho,
                float eps, float decay, int threads) {
#pragma omp parallel for simd num_threads(team(number, threads)) schedule(static)
    for (int64_t i = 0; i < number; i++) {
        const float g = gradient[i] + decay * weight[i];
        square[i] = rho * square[i] + (1.0f - rho) * g * g;
        const float step = std::sqrt((delta[i] + eps) / (square[i] + eps)) * g;
        delta[i] = rho * delta[i] + (1.0f - rho) * step * step;
        weight[i] -= lr * step;
    }
    return done;
}

// One step for some rows of a table, whose gradients are the rows of `gradient`. The running means of a row that was
// left out of earlier steps first decay once for each of them: `now` is the number of this step and `seen` holds the
// last step of each row. If `seen` is null they do not decay. No row may stand twice in `rows`, which threads share.
Answer adadelta_rows(float* table, const int64_t* rows, const float* gradient, float* square, float* delta,
                     int32_t* seen, int64_t now, int64_t height, int64_t number, int64_t width, float lr, float rho,
                     float eps, int threads) {
    bool inside = true;
    for (int64_t r = 0; r < number; r++) inside &= 0 <= rows[r] && rows[r] < height;
    if (!inside) return "`rows` are not rows of the table";
#pragma omp parallel for num_threads(team(number * width, threads)) schedule(static)
    for (int64_t r = 0; r < number; r++) {
        const int64_t row = rows[r] * width;
        float faded = 1.0f;
        if (seen) {
            const double missed = static_cast<double>(now - seen[rows[r]] - 1);
            faded = static_cast<float>(std::pow(static_cast<double>(rho), missed));
            seen[rows[r]] = static_cast<int32_t>(now);
        }
#pragma omp simd
        for (int64_t k = 0; k < width; k++) {
            const float g = gradient[r * width + k];
            const float s = rho * (faded * square[row + k]) + (1.0f - rho) * g * g;
            const float d = faded * delta[row + k];
            const float step = std::sqrt((d + eps) / (s + eps)) * g;
            square[row + k] = s;
            delta[row + k] = rho * d + (1.0f - rho) * step * step;
            table[row + k] -= lr * step;
        }
    }
    return done;
}

}  // extern "C"
