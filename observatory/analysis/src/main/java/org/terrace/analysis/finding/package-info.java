/** Values of the findings that need no other finding. */
package org.terrace.analysis.finding;
