/* folder.h - a folder of plain files, held in memory to be compared. */
#ifndef FAULTS_FOLDER_H
#define FAULTS_FOLDER_H

#include <stdbool.h>

#include "base/buf.h"

enum { FOLDER_MOST = 64 };

struct folder_file {
    char name[128];
    struct buf bytes;
};

struct folder {
    struct folder_file files[FOLDER_MOST];
    size_t n;
};

/* Reads all plain files of a folder; links and folders in it are left out. Ends
 * the program when something cannot be read or there is too much of it. */
void folder_read(struct folder *ret, const char *path);

/* Makes a folder hold these plain files and no others; what is no plain file
 * stays as it is. Ends the program when that fails. */
void folder_write(const struct folder *folder, const char *path);

/* The file with that name, or NULL. */
const struct folder_file *folder_find(const struct folder *folder,
                                      const char *name);

/* Frees what was read. */
void folder_done(struct folder *folder);

/* Appends all bytes of a file; false when it cannot be opened. */
bool file_read(struct buf *into, const char *path);

#endif
