/**
 * Groups of processes: one interface ({@link org.terrace.groups.Group}) over several networks.
 *
 * <p>The built-in implementation is opened with {@link org.terrace.groups.builtin.Groups#open}.
 */
package org.terrace.groups;
