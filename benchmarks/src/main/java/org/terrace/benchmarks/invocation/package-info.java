/**
 * Terrace's invocation beside its peers: what a call costs, and what a fault costs.
 *
 * <p>Server, client and whatever is killed are processes of their own with ordinary server flags.
 */
@NullMarked
package org.terrace.benchmarks.invocation;

import org.jspecify.annotations.NullMarked;
