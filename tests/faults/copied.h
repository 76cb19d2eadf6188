/* copied.h - what failing_malloc.so says of a copy that met a fault. */
#ifndef FAULTS_COPIED_H
#define FAULTS_COPIED_H

/* One message on the socket of FAULT_FORKS. */
struct copied {
    unsigned long long at; /* number of the call that failed */
    int status;            /* as waitpid has it */
};

#endif
