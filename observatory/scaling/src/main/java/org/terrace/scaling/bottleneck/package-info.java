/**
 * Bottlenecks of a mesh: saturated resources, their dependence on each other, and how they move as
 * load and servers grow. Pure functions; randomness comes from a seed.
 *
 * <p>Source of the words: Malkowski, Hedwig and Pu, Experimental Evaluation of N-tier Systems:
 * Observation and Analysis of Multi-Bottlenecks, IISWC 2009. They print no thresholds: those of
 * {@link org.terrace.scaling.bottleneck.SaturationRules} are this project's.
 */
package org.terrace.scaling.bottleneck;
