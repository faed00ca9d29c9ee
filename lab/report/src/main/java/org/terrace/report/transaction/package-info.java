/** The tables and drawings of transactions, and the lines that lead to packets. */
package org.terrace.report.transaction;
