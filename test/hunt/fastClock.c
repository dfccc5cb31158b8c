/*
 * Loaded with LD_PRELOAD: the clock of the day runs FAST_CLOCK_SPEED times as fast from the moment FAST_CLOCK_BASE on,
 * and shows FAST_CLOCK_START then (both in seconds since 1970), in every process alike. The monotonic clock, and so each
 * timeout, stays as it is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef long long Nanoseconds;
static const Nanoseconds SECOND = 1000000000LL;
static Nanoseconds base, start;
static double speed = 1;

__attribute__((constructor)) static void begin(void) {
  speed = atof(getenv("FAST_CLOCK_SPEED"));
  base = atoll(getenv("FAST_CLOCK_BASE")) * SECOND;
  start = atoll(getenv("FAST_CLOCK_START")) * SECOND;
}

static Nanoseconds realNow(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  return now.tv_sec * SECOND + now.tv_nsec;
}

static Nanoseconds shownNow(void) { return start + (Nanoseconds)((double)(realNow() - base) * speed); }

static struct timespec timespecOf(Nanoseconds time) {
  return (struct timespec){.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return syscall(SYS_clock_gettime, clock, time);
  *time = timespecOf(shownNow());
  return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
  Nanoseconds now = shownNow();
  time->tv_sec = now / SECOND;
  time->tv_usec = now % SECOND / 1000;
  return 0;
}

time_t time(time_t *time) {
  time_t now = shownNow() / SECOND;
  if (time) *time = now;
  return now;
}

/* A moment by the shown clock becomes one that is as far away by the kernel's. A small one is of the monotonic clock. */
static struct timespec kernelMoment(const struct timespec *moment) {
  if (moment->tv_sec < 1000000000) return *moment;
  Nanoseconds left = moment->tv_sec * SECOND + moment->tv_nsec - shownNow();
  return timespecOf(realNow() + (left > 0 ? left : 0));
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *moment) {
  static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  /* Without the version, the linker may find the one for programs of former decades. */
  if (!wait) wait = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!wait) wait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec kernel = kernelMoment(moment);
  return wait(condition, mutex, &kernel);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *moment) {
  static int (*lock)(pthread_mutex_t *, const struct timespec *);
  if (!lock) lock = dlsym(RTLD_NEXT, "pthread_mutex_timedlock");
  struct timespec kernel = kernelMoment(moment);
  return lock(mutex, &kernel);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *moment) {
  static int (*wait)(sem_t *, const struct timespec *);
  if (!wait) wait = dlsym(RTLD_NEXT, "sem_timedwait");
  struct timespec kernel = kernelMoment(moment);
  return wait(semaphore, &kernel);
}
