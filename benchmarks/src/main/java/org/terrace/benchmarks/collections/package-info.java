/**
 * Replicated collections beside their peers: three server processes a subject, driven from inside
 * one of them (embedded) or from a load process through one front end for all (remote).
 *
 * <p>{@code CollectionsBench} starts {@code NodeMain} in the servers and the load process and tells
 * them what to do; {@code Subject} lists what is measured, at which level of acknowledgement.
 */
@org.jspecify.annotations.NullMarked
package org.terrace.benchmarks.collections;
