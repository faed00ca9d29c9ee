/** The ratchets: numbers of what is too much, which only fall. */
package org.terrace.distribution.rules.counts;
