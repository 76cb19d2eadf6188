module cprof-leaks/tests/live/replica

go 1.19
