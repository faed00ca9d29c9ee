/**
 * Prices, revenue and penalties over a mesh: profit surfaces, the best configuration at every load,
 * and when to run which. Pure functions; prices change without any trial being run again.
 *
 * <p>The model is that of Malkowski, Hedwig et al., A New Perspective on Experimental Analysis of
 * N-tier Systems, CollaborateCom 2009, section 5: a constant charge for each server hour, a revenue
 * for each request that is answered within a threshold, a penalty for every other.
 */
package org.terrace.scaling.economy;
