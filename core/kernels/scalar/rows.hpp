#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/kernels/table.hpp"

namespace stepgrad::kernels::scalar {

// Sums are doubles: the oracle needs digits to spare.

// y[o, i] = Σ_j x[o, j, i]
void sum(int64_t outer, int64_t n, int64_t inner, const Scalar* x, Scalar* y) {
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < n; ++j) sum += x[(o * n + j) * inner + i];
      y[o * inner + i] = Scalar(sum);
    }
  }
}

// y[o, i] = max_j x[o, j, i]; a NaN is greater than anything.
void amax(int64_t outer, int64_t n, int64_t inner, const Scalar* x, Scalar* y) {
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      Scalar most = x[o * n * inner + i];
      for (int64_t j = 1; j < n; ++j) {
        const Scalar other = x[(o * n + j) * inner + i];
        if (other > most || std::isnan(other)) most = other;
      }
      y[o * inner + i] = most;
    }
  }
}

static Scalar largest_of(int64_t n, const Scalar* x) {
  Scalar largest = n ? x[0] : 0;
  for (int64_t c = 1; c < n; ++c) largest = x[c] > largest ? x[c] : largest;
  return largest;
}

// y = exp(x) / Σ exp(x), after subtracting the largest x, so that exp never overflows.
void softmax(int64_t rows, int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t r = 0; r < rows; ++r, x += n, y += n) {
    const Scalar largest = largest_of(n, x);
    double sum = 0;
    for (int64_t c = 0; c < n; ++c) sum += y[c] = std::exp(x[c] - largest);
    for (int64_t c = 0; c < n; ++c) y[c] = Scalar(y[c] / sum);
  }
}

// dx = y (dy - Σ y dy)
void softmax_grad(int64_t rows, int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx) {
  for (int64_t r = 0; r < rows; ++r, dy += n, y += n, dx += n) {
    double sum = 0;
    for (int64_t c = 0; c < n; ++c) sum += y[c] * dy[c];
    for (int64_t c = 0; c < n; ++c) dx[c] = Scalar(y[c] * (dy[c] - sum));
  }
}

// y = x - log Σ exp(x), after subtracting the largest x, so that exp never overflows.
void log_softmax(int64_t rows, int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t r = 0; r < rows; ++r, x += n, y += n) {
    const Scalar largest = largest_of(n, x);
    double sum = 0;
    for (int64_t c = 0; c < n; ++c) sum += std::exp(x[c] - largest);
    const Scalar log_sum = std::log(Scalar(sum));
    for (int64_t c = 0; c < n; ++c) y[c] = x[c] - largest - log_sum;
  }
}

// dx = dy - exp(y) Σ dy
void log_softmax_grad(int64_t rows, int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx) {
  for (int64_t r = 0; r < rows; ++r, dy += n, y += n, dx += n) {
    double sum = 0;
    for (int64_t c = 0; c < n; ++c) sum += dy[c];
    for (int64_t c = 0; c < n; ++c) dx[c] = Scalar(dy[c] - std::exp(y[c]) * sum);
  }
}

// y = (x - mean) / √(var + eps) w + b, computed as doubles, since squares may overflow a float
void layer_norm(int64_t rows, int64_t n, Scalar eps, const Scalar* x, const Scalar* w, const Scalar* b, Scalar* y,
    Scalar* mean, Scalar* rstd) {
  for (int64_t r = 0; r < rows; ++r, x += n, y += n) {
    double sum = 0, squares = 0;
    for (int64_t c = 0; c < n; ++c) sum += x[c];
    const double middle = sum / n;
    for (int64_t c = 0; c < n; ++c) squares += (x[c] - middle) * (x[c] - middle);
    const double nan_if_infinite = squares - squares;
    const double scale = 1 / std::sqrt(squares / n + eps) + nan_if_infinite;
    for (int64_t c = 0; c < n; ++c) y[c] = Scalar((x[c] - middle) * scale * w[c] + b[c]);
    mean[r] = Scalar(middle), rstd[r] = Scalar(scale);
  }
}

// dx = rstd (dh - mean(dh) - h mean(h dh))   dw = Σ_r dy h   db = Σ_r dy    with dh = dy w
void layer_norm_grad(int64_t rows, int64_t n, const Scalar* dy, const Scalar* x, const Scalar* w, const Scalar* mean,
    const Scalar* rstd, Scalar* dx, Scalar* dw, Scalar* db) {
  std::vector<double> dws(n), dbs(n);
  for (int64_t r = 0; r < rows; ++r, dy += n, x += n, dx += n) {
    double sum = 0, product = 0;
    for (int64_t c = 0; c < n; ++c) {
      const Scalar h = (x[c] - mean[r]) * rstd[r], dh = dy[c] * w[c];
      sum += dh, product += h * dh;
      dws[c] += dy[c] * h, dbs[c] += dy[c];
    }
    for (int64_t c = 0; c < n; ++c) {
      const Scalar h = (x[c] - mean[r]) * rstd[r], dh = dy[c] * w[c];
      dx[c] = Scalar(rstd[r] * (dh - sum / n - h * product / n));
    }
  }
  std::transform(dws.begin(), dws.end(), dw, [](double sum) { return Scalar(sum); });
  std::transform(dbs.begin(), dbs.end(), db, [](double sum) { return Scalar(sum); });
}

// y[r] = x[ids[r]]
void index_select(int64_t rows, int64_t n, const Scalar* x, const Scalar* ids, Scalar* y) {
  for (int64_t r = 0; r < rows; ++r) {
    const Scalar* row = x + int64_t(ids[r]) * n;
    for (int64_t c = 0; c < n; ++c) y[r * n + c] = row[c];
  }
}

// dx[ids[r]] += dy[r]
void index_add(int64_t rows, int64_t n, const Scalar* dy, const Scalar* ids, Scalar* dx) {
  for (int64_t r = 0; r < rows; ++r) {
    Scalar* row = dx + int64_t(ids[r]) * n;
    for (int64_t c = 0; c < n; ++c) row[c] += dy[r * n + c];
  }
}

}
