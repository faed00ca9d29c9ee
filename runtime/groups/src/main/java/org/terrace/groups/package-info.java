/**
 * Groups of processes: one interface ({@link org.terrace.groups.Group}) over several networks.
 *
 * <p>The built-in implementation is opened with {@code Groups.open} of the package {@code builtin}.
 */
package org.terrace.groups;
