module cprof-leaks/tests/live/server

go 1.19
