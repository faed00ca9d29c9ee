/**
 * Emulated users: closed and open load on a web application, and the measures that say whether the
 * generator of that load can be trusted.
 *
 * <p>A {@link org.terrace.load.LoadPlan} says what to do, {@link org.terrace.load.LoadProcess} does
 * it in a process of its own, and {@link org.terrace.load.LoadResult} reads what it left.
 */
package org.terrace.load;
