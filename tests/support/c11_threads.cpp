// C11's threads by those of POSIX, for the thread sanitizer: it knows the latter only, and librdkafka uses the former. In
// glibc these are the same things under two names. Linked into programs that use the client, in that build alone.
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>
#include <memory>

namespace {

struct Start {
  thrd_start_t run;
  void* argument;
};

void* run(void* started) {
  const std::unique_ptr<Start> start(static_cast<Start*>(started));
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(start->run(start->argument)));
}

int result(int code) {
  switch (code) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

pthread_mutex_t* posix(mtx_t* mutex) {
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}
pthread_cond_t* posix(cnd_t* condition) {
  return reinterpret_cast<pthread_cond_t*>(condition);
}

}  // namespace

extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  auto started = std::make_unique<Start>(Start{start, argument});
  const int code = pthread_create(thread, nullptr, run, started.get());
  if (code == 0) static_cast<void>(started.release());
  return result(code);
}
int thrd_join(thrd_t thread, int* returned) {
  void* value = nullptr;
  const int code = pthread_join(thread, &value);
  if (returned != nullptr) *returned = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return result(code);
}

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  return result(pthread_mutex_init(posix(mutex), &attributes));
}
int mtx_lock(mtx_t* mutex) {
  return result(pthread_mutex_lock(posix(mutex)));
}
int mtx_trylock(mtx_t* mutex) {
  return result(pthread_mutex_trylock(posix(mutex)));
}
int mtx_unlock(mtx_t* mutex) {
  return result(pthread_mutex_unlock(posix(mutex)));
}
void mtx_destroy(mtx_t* mutex) {
  pthread_mutex_destroy(posix(mutex));
}

int cnd_init(cnd_t* condition) {
  return result(pthread_cond_init(posix(condition), nullptr));
}
int cnd_signal(cnd_t* condition) {
  return result(pthread_cond_signal(posix(condition)));
}
int cnd_broadcast(cnd_t* condition) {
  return result(pthread_cond_broadcast(posix(condition)));
}
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return result(pthread_cond_wait(posix(condition), posix(mutex)));
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  return result(pthread_cond_timedwait(posix(condition), posix(mutex), until));
}
void cnd_destroy(cnd_t* condition) {
  pthread_cond_destroy(posix(condition));
}

}  // extern "C"
