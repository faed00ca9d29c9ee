/** Sorting, intervals of time and distributions that every part of the analysis uses. */
package org.terrace.analysis.statistics;
