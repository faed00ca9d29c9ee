/**
 * The values of a study: claims and how they fared, tables, figures, and what was deviated from.
 */
package org.terrace.analysis.study;
