package org.terrace.mesh;

import java.nio.file.Path;

/**
 * A file of a mesh that cannot be read, as a crash or a full disk leaves one. Immutable.
 *
 * @param place the file, or the folder of the trial whose row it is, as a whole
 * @param fault what is wrong, with the file's name
 */
record MeshDamage(Path place, String fault) {}
