/** Transactions as trees: how many are whole, and where their time went. */
package org.terrace.tracing.transaction;
