-- The meaning of a score is told by chances: workers say anew what tasks ask.
update tasks set query_known = false;
