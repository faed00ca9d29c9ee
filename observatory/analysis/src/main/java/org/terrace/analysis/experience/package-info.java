/** Findings as their reader asks for them: the users' experience first, then episodes of stalls. */
package org.terrace.analysis.experience;
