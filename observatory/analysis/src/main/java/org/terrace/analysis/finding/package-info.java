/** The findings as values: what is written to {@code findings.json}, and the verdict on it. */
package org.terrace.analysis.finding;
